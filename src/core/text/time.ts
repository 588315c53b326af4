const TIME_PATTERN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Whether `ts` is written as an observation's time and names a real date. */
export function isObservationTime(ts: string): boolean {
  if (!TIME_PATTERN.test(ts)) return false;
  const [year, month, day, hour, minute, second] = ts.split(/\D/).map(Number);
  if ([year, month, day, hour, minute, second].some((part) => part === undefined)) return false;
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second));
  return date.toISOString().slice(0, 19).replace('T', ' ') === ts;
}

/** The local time of a moment (milliseconds since the epoch) as an observation has it. */
export function formatObservationTime(moment: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${date} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
