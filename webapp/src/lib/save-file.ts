/** Saves a blob as a file with this name, as a download of the browser. */
export async function saveFile(blob: Blob, name: string): Promise<void> {
  const link = document.createElement('a');
  link.download = name;
  link.href = objectUrl(blob) ?? (await dataUrl(blob));
  link.click();
  if (link.href.startsWith('blob:')) URL.revokeObjectURL(link.href);
}

/** Returns a URL that refers to the blob, or null if the browser does not create such URLs. */
function objectUrl(blob: Blob): string | null {
  try {
    return URL.createObjectURL(blob);
  } catch {
    return null;
  }
}

/** Returns a URL that contains the blob. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}
