export interface TestResult {
  readonly title: string;
  readonly state: string;
  readonly ms?: number;
  readonly error?: string;
  readonly picture?: string;
}

export interface StageResult {
  readonly name: string;
  readonly tests: readonly TestResult[];
  readonly ms: number;
  readonly log: string;
  readonly why?: string;
}

export function runStage(stage: {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly read?: ((file: string) => readonly TestResult[]) | null;
}): Promise<StageResult>;

export function ofVitest(file: string): readonly TestResult[];

export function notRun(name: string, why: string, log: string): StageResult;

export function countsOf(result: StageResult): { readonly passed: number; readonly failed: number };

export function tailOf(log: string, lines: number): string;
