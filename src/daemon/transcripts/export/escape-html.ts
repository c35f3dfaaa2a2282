const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '\ufffd',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => ESCAPES[character]!);
}
