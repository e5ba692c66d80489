/** Saves a document of the browser as a file. */
export function saveFile(document_: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(document_);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
