/** The `….mark` beside a log: the highest number ever given, so that none is given again when lines were removed. */
import { isRecord, parseJson } from '../text/jsonRecord';
import { decode } from './recordBytes';
import { MAX_MARKED } from './recordLog';
import { type RecordFolder, workWith } from './recordStore';

/** A mark has about sixty. */
const MAX_MARK_BYTES = 4096;

/** The highest number ever given, and how large the log was to be after it: if it is not, another program has changed it. */
interface Mark {
  readonly highWaterMark: number;
  readonly sizeBytes: number;
}

/** The mark of the log of that name; `undefined` when there is none or it is damaged: the log is then read for its number. */
export function readMark(folder: RecordFolder, log: string): Promise<Mark | undefined> {
  return workWith(folder, `${log}.mark`, async (file) => parseMark(decode(await file.read(0, MAX_MARK_BYTES))));
}

/** Not flushed: after a power failure the log's own lines say as much, and a flush would double the cost of an append. */
export function writeMark(folder: RecordFolder, log: string, { highWaterMark, sizeBytes }: Mark): Promise<void> {
  const text = `${JSON.stringify({ high_water_mark: highWaterMark, size_bytes: sizeBytes })}\n`;
  return folder.replace(`${log}.mark`, text);
}

/** Undefined for one that was written by half: as good as none. */
function parseMark(text: string): Mark | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { high_water_mark: highWaterMark, size_bytes: sizeBytes } = value;
  return isCount(highWaterMark) && highWaterMark <= MAX_MARKED && isCount(sizeBytes)
    ? { highWaterMark, sizeBytes }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
