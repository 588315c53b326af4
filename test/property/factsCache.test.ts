import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeFacts } from '../../src/core/repomap/facts/factsCodec';
import { FactsCache } from '../../src/core/workspace/symbolCache/factsCache';
import { FileCacheStore } from '../../src/node/cacheStore';
import { RecordingLogger } from '../support/recordingLogger';
import { runs } from '../support/runs';
import { MemoryCache, SILENT } from '../support/workspaceFakes';

const made: string[] = [];

afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'context-budget-property-'));
  made.push(folder);
  return folder;
}

/** Facts that only this content has; every fourth fills a good part of a pack. */
function factsOf(content: number, file: string) {
  const postings = new Uint8Array(content % 4 === 0 ? 200_000 : 50).fill(content);
  return {
    path: file,
    contentHash: `h${content}`,
    language: 'typescript',
    outcome: 'parsed' as const,
    lineCount: content,
    definitions: [],
    references: [[`name${content}`, 1]] as const,
    words: { others: [`word${content}`], postings },
  };
}

const encodedFacts = (content: number, file: string) => {
  const facts = factsOf(content, file);
  return { path: file, contentHash: facts.contentHash, encoded: encodeFacts(facts) };
};

const CONTENTS = 12;
const content = fc.nat(CONTENTS - 1);
const file = fc.constantFrom('a.ts', 'src/b.ts', 'src/größe "x".ts');
const writer = fc.nat(2);

type Step =
  | { readonly kind: 'add'; readonly writer: number; readonly content: number; readonly file: string }
  | { readonly kind: 'find'; readonly writer: number; readonly content: number; readonly file: string }
  | { readonly kind: 'save'; readonly writer: number }
  | { readonly kind: 'saveWithoutWaiting'; readonly writer: number }
  | { readonly kind: 'restart'; readonly writer: number }
  | { readonly kind: 'damage'; readonly at: number; readonly how: 'flip' | 'cut' | 'remove' | 'swap' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), writer, content, file }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('find' as const), writer, content, file }) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('save' as const), writer }),
      fc.record({ kind: fc.constant('saveWithoutWaiting' as const), writer }),
      fc.record({ kind: fc.constant('restart' as const), writer }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      at: fc.nat(),
      how: fc.constantFrom('flip', 'cut', 'remove', 'swap'),
    }),
  },
);

async function damage(folder: string, { at, how }: Extract<Step, { kind: 'damage' }>): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pack')).sort();
  const name = names[at % names.length];
  if (!name) return;
  const victim = path.join(folder, name);
  const bytes = await readFile(victim).catch(() => Buffer.alloc(0));
  const offset = bytes.length === 0 ? 0 : Math.floor(at / names.length) % bytes.length;
  if (how === 'flip' && bytes.length > 0) {
    bytes[offset]! ^= 1 << (at % 8);
    await writeFile(victim, bytes);
  } else if (how === 'cut') await truncate(victim, offset).catch(() => undefined);
  else if (how === 'remove') await rm(victim, { force: true });
  else if (how === 'swap') await writeFile(path.join(folder, names[(at + 1) % names.length]!), bytes);
}

/** Whatever several processes ask of it happens one after another, in an order that the scheduler decides. */
class ScheduledCache extends MemoryCache {
  readonly #scheduler: fc.Scheduler;

  constructor(scheduler: fc.Scheduler, ids: number) {
    super();
    this.#scheduler = scheduler;
    this.ids = ids;
  }

  override async list() {
    await this.#turn('list');
    return super.list();
  }

  override async readHead(name: string) {
    await this.#turn('readHead');
    return super.readHead(name);
  }

  override async readBody(name: string) {
    await this.#turn('readBody');
    return super.readBody(name);
  }

  override async save(name: string, head: Uint8Array, body: Uint8Array) {
    await this.#turn('save');
    return super.save(name, head, body);
  }

  override async remove(names: readonly string[]) {
    for (const name of names) {
      await this.#turn('remove');
      await super.remove([name]);
    }
  }

  #turn(label: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), label);
  }
}

/** Facts are right or absent. True when they were there. */
async function check(cache: FactsCache, at: number, name: string): Promise<boolean> {
  const encoded = await cache.find(name, `h${at}`);
  // Compared as bytes: comparing long arrays element by element takes seconds.
  if (encoded) expect(Buffer.from(encoded).equals(encodeFacts(factsOf(at, name)))).toBe(true);
  return encoded !== undefined;
}

describe('the cache of facts on disk', () => {
  it('gives the right facts or none, whoever writes and whatever happens to the files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const folder = await makeFolder();
        const logger = new RecordingLogger();
        const open = () => new FactsCache(new FileCacheStore(folder, logger), logger);
        const caches = [open(), open(), open()];
        const saves: Promise<void>[] = [];
        for (const one of steps) {
          if (one.kind === 'damage') await damage(folder, one);
          else if (one.kind === 'restart') caches[one.writer] = open();
          else if (one.kind === 'save') await caches[one.writer]!.save();
          else if (one.kind === 'saveWithoutWaiting') saves.push(caches[one.writer]!.save());
          else if (one.kind === 'add') caches[one.writer]!.add(encodedFacts(one.content, one.file));
          else await check(caches[one.writer]!, one.content, one.file);
        }
        await Promise.all(saves);
        const last = open();
        for (let at = 0; at < CONTENTS; at++) await check(last, at, 'a.ts');
        expect(logger.lines.filter((line) => line.startsWith('error'))).toEqual([]);
      }),
      runs(30, 60),
    );
  });

  it('loses nothing that was saved while nobody damages it, whoever saves at the same time', async () => {
    // Between two steps so much of what is under way gets done, in any order; and time goes on, but a minute only
    // when nothing is under way.
    const pause = fc.oneof(fc.record({ done: fc.nat(8), ms: fc.constantFrom(0, 100) }), fc.constant('minute' as const));
    const adds = fc.array(fc.record({ writer, content, isSaved: fc.boolean(), isNew: fc.boolean(), pause }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(adds, fc.nat(1000), fc.scheduler(), async (steps, ids, scheduler) => {
        const store = new ScheduledCache(scheduler, ids);
        const caches = [0, 1, 2].map(() => new FactsCache(store, SILENT));
        const saves: Promise<void>[] = [];
        const finish = () => scheduler.waitFor(Promise.all(saves.splice(0)));
        for (const one of steps) {
          // Another process takes the place of one that has saved everything.
          if (one.isNew && !caches[one.writer]!.isDirty) caches[one.writer] = new FactsCache(store, SILENT);
          const cache = caches[one.writer]!;
          cache.add(encodedFacts(one.content, 'a.ts'));
          if (one.isSaved) saves.push(cache.save());
          if (one.pause === 'minute') {
            await finish();
            store.nowMs += 60_000;
          } else {
            for (let i = 0; i < one.pause.done && scheduler.count() > 0; i++) await scheduler.waitNext(1);
            store.nowMs += one.pause.ms;
          }
        }
        saves.push(...caches.map((cache) => cache.save()));
        await finish();
        const last = new FactsCache(store, SILENT);
        const finds = steps.map(({ content: at }) => check(last, at, 'src/b.ts'));
        expect(await scheduler.waitFor(Promise.all(finds))).not.toContain(false);
      }),
      runs(40, 100),
    );
  });

  it('notices every single flipped bit and every cut', async () => {
    const folder = await makeFolder();
    const logger = new RecordingLogger();
    const cache = new FactsCache(new FileCacheStore(folder, logger), logger);
    for (const at of [1, 2, 3]) cache.add(encodedFacts(at, 'a.ts'));
    await cache.save();
    const [name] = await readdir(folder);
    const victim = path.join(folder, name!);
    const whole = await readFile(victim);
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      for (const bytes of at % 5 === 0 ? [flipped, whole.subarray(0, at)] : [flipped]) {
        await writeFile(victim, bytes);
        expect(await check(new FactsCache(new FileCacheStore(folder, logger), logger), 1, 'a.ts')).toBe(false);
      }
    }
    await writeFile(victim, whole);
    expect(await check(new FactsCache(new FileCacheStore(folder, logger), logger), 1, 'a.ts')).toBe(true);
  });
});
