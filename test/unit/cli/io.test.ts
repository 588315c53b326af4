import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { processIo, StreamOutput } from '../../../src/cli/io';

type Done = (error?: Error | null) => void;

/** A stream whose writes end when the test says so. */
class SlowStream extends Writable {
  readonly chunks: string[] = [];
  readonly unfinished: Done[] = [];

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.chunks.push(chunk.toString());
    this.unfinished.push(done);
  }
}

function errorWith(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('StreamOutput', () => {
  it('flushes only when every write has left the process', async () => {
    const stream = new SlowStream();
    const output = new StreamOutput(stream, () => undefined);
    output.write('one');
    output.write('two');
    let isFlushed = false;
    const flushed = output.flush().then(() => {
      isFlushed = true;
    });
    stream.unfinished.shift()?.();
    await Promise.resolve();
    expect(isFlushed).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    stream.unfinished.shift()?.();
    await flushed;
    expect(stream.chunks).toEqual(['one', 'two']);
  });

  it('has nothing to wait for when nothing was written', async () => {
    await expect(new StreamOutput(new SlowStream(), () => undefined).flush()).resolves.toBeUndefined();
  });

  it('takes a reader that went away for the end, not for an error', async () => {
    const failures: Error[] = [];
    const stream = new SlowStream();
    const output = new StreamOutput(stream, (error) => failures.push(error));
    output.write('one');
    const flushed = output.flush();
    stream.unfinished.shift()?.(errorWith('EPIPE'));
    await flushed;
    output.write('two');
    await output.flush();
    expect(stream.chunks).toEqual(['one']);
    expect(failures).toEqual([]);
  });

  it('reports output that could not be written', async () => {
    const failures: Error[] = [];
    const stream = new SlowStream();
    const output = new StreamOutput(stream, (error) => failures.push(error));
    output.write('one');
    stream.unfinished.shift()?.(errorWith('ENOSPC'));
    await output.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
  });
});

describe('processIo', () => {
  it('names the current folder even when it was removed', () => {
    const cwd = vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw errorWith('ENOENT');
    });
    vi.stubEnv('PWD', '/gone');
    try {
      expect(processIo(() => undefined).cwd).toBe('/gone');
    } finally {
      cwd.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});
