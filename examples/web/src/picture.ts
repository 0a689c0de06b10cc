/** Longest side of pictures that are sent, in pixels. */
const longest = 2048;

/** A picture of any type that the browser knows, as a JPEG of sensible size and without the place where it was taken. */
export async function jpegOf(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error("This file is no picture that your browser can read");
  });
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large"))), "image/jpeg", 0.88));
}
