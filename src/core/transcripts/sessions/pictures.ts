/** Tokens of pictures, by their pixels (Anthropic's documentation of vision, 2026-11; seen in public sessions). */
import { toByteArray } from 'base64-js';
import { imageSize } from 'image-size';

const PIXELS_PER_TOKEN = 750;
/** Larger pictures are scaled down to this before the model sees them. */
const MAX_EDGE = 1_568;
const MAX_TOKENS = 1_600;
/** Where a picture says its size. Base64 has four characters for three bytes. */
const HEAD_CHARS = 256 * 1_024;

/** @param width, height in pixels, any numbers */
export function pictureTokens(width: number, height: number): number {
  const edge = Math.max(width, height);
  if (!(edge > 0)) return 0;
  const scale = Math.min(1, MAX_EDGE / edge);
  return Math.min(MAX_TOKENS, Math.ceil((width * height * scale * scale) / PIXELS_PER_TOKEN));
}

/** Of a picture in base64; 0 where its size cannot be read. */
export function encodedPictureTokens(base64: string): number {
  try {
    const { width, height } = imageSize(toByteArray(base64.slice(0, HEAD_CHARS)));
    return pictureTokens(width, height);
  } catch {
    // Broken, masked, or of another kind: what the model saw is unknown.
    return 0;
  }
}
