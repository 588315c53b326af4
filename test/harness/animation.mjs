// Puts screenshots together as a small animated GIF: one palette for all frames, and of each frame only what changed.
import gifenc from 'gifenc';

const { GIFEncoder, applyPalette, quantize } = gifenc;

/** Colours of the palette beside the transparent one. */
const COLOURS = 255;
const TRANSPARENT = COLOURS;

/**
 * @param {readonly { pixels: Uint8Array, holdMs: number }[]} frames RGBA of equal size; how long each is shown
 * @param {{ width: number, height: number }} size
 * @returns {Uint8Array} the GIF, played again and again
 */
export function encodeGif(frames, { width, height }) {
  const palette = quantize(sampleOf(frames), COLOURS);
  const gif = GIFEncoder();
  let shown;
  frames.forEach(({ pixels, holdMs }, at) => {
    const indexed = applyPalette(pixels, palette);
    const drawn = shown ? indexed.map((colour, pixel) => (colour === shown[pixel] ? TRANSPARENT : colour)) : indexed;
    shown = indexed;
    gif.writeFrame(drawn, width, height, {
      ...(at === 0 ? { palette: [...palette, ...padding(palette)], repeat: 0 } : {}),
      delay: holdMs,
      transparent: at > 0,
      transparentIndex: TRANSPARENT,
      // What is not drawn over stays.
      dispose: 1,
    });
  });
  gif.finish();
  return gif.bytes();
}

/** Up to the transparent entry: an index of the table has to exist. */
function padding(palette) {
  return Array.from({ length: TRANSPARENT + 1 - palette.length }, () => [0, 0, 0]);
}

/** Every frame's pixels in one array, for colours that suit all of them. */
function sampleOf(frames) {
  const all = new Uint8Array(frames.reduce((sum, { pixels }) => sum + pixels.length, 0));
  let at = 0;
  for (const { pixels } of frames) {
    all.set(pixels, at);
    at += pixels.length;
  }
  return all;
}

/** RGBA of a PNG, decoded by the browser that took it. */
export async function decodePng(page, png) {
  const base64 = await page.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const blob = new Blob([data]);
    return new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
      reader.readAsDataURL(blob);
    });
  }, png.toString('base64'));
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
