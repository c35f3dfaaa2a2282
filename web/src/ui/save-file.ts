/** Offers a file for download. */
export function saveFile({ name, type, text }: { name: string; type: string; text: string }) {
  saveBlob(new Blob([text], { type }), name);
}

export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoke after the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
