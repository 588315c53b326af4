// One stage of `npm test`: a process whose output is shown or held, and whose tests are counted. Node's own modules only.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { root } from './setup.mjs';

const RULE = 70;

/** What a lane prints: held until it is opened, then as it comes, so that two lanes do not mix. */
export class Output {
  #held = '';
  #isOpen = false;

  write(text) {
    if (this.#isOpen) process.stdout.write(text);
    else this.#held += text;
  }

  /** Prints what was held, and from now on everything at once. */
  open() {
    this.#isOpen = true;
    process.stdout.write(this.#held);
    this.#held = '';
    return this;
  }
}

/** Sums every `N passed, N failed` line. */
export function summedLines(output) {
  let passed = 0;
  let failed = 0;
  for (const [, p, f] of output.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed/gm)) {
    passed += Number(p);
    failed += Number(f);
  }
  return { passed, failed };
}

/** How each stage begins to tell of a failed test: host suites, steps of the UI, pages, Vitest. */
const COMPLAINT = /^(?:(?:failed|pending): |✖ |FAILED | ?FAIL {2})/;
/** Lines of a failed test that are said again, its own among them. */
const COMPLAINT_LINES = 12;

/** The failed tests that a stage printed, each with the first lines of what it said. */
export function complaintsOf(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const starts = lines.flatMap((line, at) => (COMPLAINT.test(line) ? [at] : []));
  const said = starts.map((start, at) =>
    lines.slice(start, Math.min(start + COMPLAINT_LINES, starts[at + 1] ?? lines.length)),
  );
  return said.map((part) => part.join('\n').trim()).join('\n\n');
}

/** A stage that is one check by its exit code. */
export function checked(_output, code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

/** What Vitest's JSON report says. Nothing is skipped silently: a skipped test counts as failed. */
export function ofVitest(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length;
    return { passed: numPassedTests, failed: numFailedTests + numPendingTests + broken };
  } catch (error) {
    return { passed: 0, failed: 1, why: `Vitest left no report: ${error.message}` };
  }
}

/**
 * Runs a stage.
 * @param {{ title: string, command: readonly string[], count?: (stdout: string, code: number) => object }} stage
 * @param {NodeJS.ProcessEnv} env
 * @param {Output} out gets all that the stage prints
 * @returns {Promise<{ title: string, passed: number, failed: number, why?: string, ms: number, output: string }>}
 */
export function runStage({ title, command: [program, ...args], count = summedLines }, env, out) {
  out.write(`\n── ${title} ${'─'.repeat(Math.max(0, RULE - title.length))}\n`);
  const started = performance.now();
  return new Promise((resolve) => {
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell });
    let output = '';
    let counted = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (stream === child.stdout) counted += text;
        out.write(text);
      });
    }
    const end = (counts) => resolve({ title, ...counts, ms: performance.now() - started, output });
    child.on('error', (error) => end({ passed: 0, failed: 1, why: error.message }));
    child.on('close', (code, signal) => {
      const counts = count(counted, code ?? 1);
      // A stage that fails without a failed test, or passes without a test, has failed.
      const isEmpty = counts.passed + counts.failed === 0;
      const why = isEmpty ? 'it counted nothing' : `it ended with ${signal ?? code}`;
      end((code !== 0 && counts.failed === 0) || isEmpty ? { why, ...counts, failed: 1 } : counts);
    });
  });
}
