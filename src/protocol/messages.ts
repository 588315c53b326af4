/** Messages as tables: the fields of each type with what their values must be. Types and guards follow from a table. */
import { isRecord } from '../core/text/jsonRecord';

type Guard<T> = (value: unknown) => value is T;
type MessageTable = Readonly<Record<string, Readonly<Record<string, Guard<unknown>>>>>;
type Guarded<G> = G extends Guard<infer T> ? T : never;

/** Any message of a table. */
export type MessageOf<T extends MessageTable> = {
  [K in keyof T & string]: { readonly type: K } & { readonly [F in keyof T[K]]: Guarded<T[K][F]> };
}[keyof T & string];

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isFlag = (value: unknown): value is boolean | undefined =>
  value === undefined || typeof value === 'boolean';
export const isTextIfAny = (value: unknown): value is string | undefined => value === undefined || isText(value);
/** For what is not looked into: both ends are built together. */
export const isAny = (_value: unknown): _value is unknown => true;
export const isOwn = <T extends object>(value: unknown): value is T => isRecord(value);
export const isOneOf =
  <T extends string>(list: readonly T[]) =>
  (value: unknown): value is T =>
    list.some((one) => one === value);

/** What a host sends its page: complete snapshots, and texts that screen readers speak, politely. */
export const snapshotMessages = <S extends object>() => ({
  snapshot: { revision: isNumber, snapshot: isOwn<S> },
  announce: { text: isText },
});

/** Guards inbound messages: anything malformed is `undefined`, and what a message brings along is left out. */
export function messageReader<T extends MessageTable>(table: T): (value: unknown) => MessageOf<T> | undefined {
  return (value) => {
    if (!isRecord(value) || !isText(value.type) || !Object.hasOwn(table, value.type)) return undefined;
    const fields = Object.entries(table[value.type] ?? {});
    if (!fields.every(([name, isRight]) => isRight(value[name]))) return undefined;
    const kept = Object.fromEntries(fields.map(([name]) => [name, value[name]]));
    return { ...kept, type: value.type } as MessageOf<T>;
  };
}
