import { describe, expect, it } from 'vitest';
import { showProgress } from '../../../src/cli/io';
import type { Clock } from '../../../src/core/ports/ports';
import type { Workspace, WorkspaceSnapshot } from '../../../src/core/workspace/workspace';
import { MemoryOutput } from '../../support/cliWorld';

/** Time that passes when the test says so. */
class ManualClock implements Clock {
  private time = 0;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  schedule(callback: () => void, delayMs: number) {
    const timer = { at: this.time + delayMs, callback };
    this.timers.push(timer);
    return {
      dispose: () => {
        this.timers = this.timers.filter((each) => each !== timer);
      },
    };
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.time = next.at;
      next.callback();
    }
    this.time = end;
  }

  get isIdle(): boolean {
    return this.timers.length === 0;
  }
}

function sessionAt(progress: { done: number; total: number } | undefined): Workspace {
  const index = { phase: 'ready', done: 0, total: 0 } as const;
  return { snapshot: { progress, index } as WorkspaceSnapshot } as Workspace;
}

describe('showProgress', () => {
  it('is silent for a second, then rewrites one line and leaves none behind', () => {
    const clock = new ManualClock();
    const output = new MemoryOutput(true);
    const state = { done: 120, total: 1545 };
    const progress = showProgress(sessionAt(state), output, clock);
    clock.advance(999);
    expect(output.text).toBe('');
    clock.advance(101);
    expect(output.text).toBe('\r\u001b[KReading: 120 of 1,545 sections …');
    state.done = 121;
    clock.advance(500);
    expect(output.text).toBe('\r\u001b[KReading: 120 of 1,545 sections …\r\u001b[KReading: 121 of 1,545 sections …');
    progress.dispose();
    expect(output.text.endsWith('…\r\u001b[K')).toBe(true);
    expect(clock.isIdle).toBe(true);
  });

  it('writes nothing for quick work, nor where nobody watches', () => {
    const clock = new ManualClock();
    const watched = new MemoryOutput(true);
    showProgress(sessionAt(undefined), watched, clock).dispose();
    const piped = new MemoryOutput(false);
    showProgress(sessionAt(undefined), piped, clock);
    clock.advance(10_000);
    expect(watched.text + piped.text).toBe('');
  });
});
