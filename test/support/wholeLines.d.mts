export function wholeLines(text: string): string[];

/** The caller says what a record is: a test that is wrong about it fails on what it asserts. */
export function wholeRecords<T = Record<string, unknown>>(text: string): T[];
