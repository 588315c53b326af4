/** A message of which only the newest counts. */
interface Revised {
  readonly revision: number;
}

/**
 * Hands over only the newest of the messages that arrive within one frame, whatever their order: what is drawn with
 * every frame is drawn often enough. `frame` calls back before the next frame, as `requestAnimationFrame` does.
 */
export function newestPerFrame<T extends Revised>(
  frame: (callback: () => void) => void,
  take: (message: T) => void,
): (message: T) => void {
  let waiting: T | undefined;
  return (message) => {
    const isScheduled = waiting !== undefined;
    if (!waiting || message.revision >= waiting.revision) waiting = message;
    if (isScheduled) return;
    frame(() => {
      const newest = waiting;
      waiting = undefined;
      if (newest) take(newest);
    });
  };
}
