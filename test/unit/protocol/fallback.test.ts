import { describe, expect, it } from 'vitest';
import { Fallback } from '../../../src/protocol/fallback';
import { WorkerError } from '../../../src/protocol/worker';

const unavailable = () => Promise.reject(new WorkerError('unavailable', 'no worker'));

/** A worker whose every launch fails, and how often it was asked. */
function broken() {
  const client = { failedLaunches: 0 };
  const call = () => {
    client.failedLaunches++;
    return unavailable();
  };
  return { client, call };
}

describe('Fallback', () => {
  it('asks three times for a worker, then works here, and asks for no worker again', async () => {
    let made = 0;
    const fallback = new Fallback(() => `here ${++made}`);
    const { client, call } = broken();
    expect(await fallback.callOr(client, call, async (own) => own)).toBe('here 1');
    expect(await fallback.callOr(client, call, async (own) => own)).toBe('here 1');
    expect(client.failedLaunches).toBe(3);
  });

  it('rejects as the call does for what a worker answered, and where nothing can be made here', async () => {
    const crashed = () => Promise.reject(new WorkerError('crashed', 'gone'));
    const here = async () => 'here';
    const fallback = new Fallback<string>(undefined);
    await expect(fallback.callOr({ failedLaunches: 9 }, crashed, here)).rejects.toMatchObject({ reason: 'crashed' });
    const { client, call } = broken();
    await expect(fallback.callOr(client, call, here)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('tells whoever makes it why no worker started, and both reasons where it cannot be made', async () => {
    const told: unknown[] = [];
    const fallback = new Fallback((why) => {
      told.push(why?.message);
      throw new Error('worker.js could not be read');
    });
    const { client, call } = broken();
    await expect(fallback.callOr(client, call, async (own) => own)).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'no worker Nor can it be done in process: worker.js could not be read',
    });
    expect(told).toEqual(['no worker']);
  });

  it('makes one only, however many calls give way at once, and another after renew', async () => {
    let made = 0;
    const fallback = new Fallback(() => ++made);
    const { client, call } = broken();
    const asked = () => fallback.callOr(client, call, async (own) => own);
    expect(await Promise.all([asked(), asked(), asked()])).toEqual([1, 1, 1]);
    fallback.renew();
    expect(await asked()).toBe(2);
  });
});
