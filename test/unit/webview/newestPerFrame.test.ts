import { describe, expect, it } from 'vitest';
import { newestPerFrame } from '../../../webview/newestPerFrame';

/** Frames that the test draws itself, and what was handed over. */
function collector(onTake: (revision: number) => void = () => {}) {
  const frames: (() => void)[] = [];
  const taken: number[] = [];
  const put = newestPerFrame<{ readonly revision: number }>(
    (callback) => frames.push(callback),
    ({ revision }) => {
      taken.push(revision);
      onTake(revision);
    },
  );
  return { frames, taken, put: (revision: number) => put({ revision }), draw: () => frames.shift()?.() };
}

describe('newestPerFrame', () => {
  it('hands over the newest message of each frame, and asks for no frame without one', () => {
    const { frames, taken, put, draw } = collector();
    put(1);
    put(3);
    put(2);
    expect(taken).toEqual([]);
    draw();
    expect(taken).toEqual([3]);
    expect(frames).toHaveLength(0);
    put(4);
    draw();
    expect(taken).toEqual([3, 4]);
  });

  it('takes what arrives while it hands over into the next frame', () => {
    const { taken, put, draw } = collector((revision) => revision === 1 && put(2));
    put(1);
    draw();
    expect(taken).toEqual([1]);
    draw();
    expect(taken).toEqual([1, 2]);
  });
});
