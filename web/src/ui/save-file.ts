/** Hands the browser a file to keep. */
export function saveFile({ name, type, text }: { name: string; type: string; text: string }) {
  saveBlob(new Blob([text], { type }), name);
}

export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // after the download has begun
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
