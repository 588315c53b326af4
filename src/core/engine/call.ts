/**
 * What a worker can be asked, as tables: one entry says what a call takes, what it gives and what is special about it.
 * Interface, client, message, dispatch and stand-in all follow from the entry; only the work itself is written elsewhere.
 */

/** A call's own method: one argument that can be copied to another thread, or none. */
type Signature = (params: never) => unknown;

type ParamsOf<F extends Signature> = Parameters<F> extends [infer P] ? P : undefined;
type ResultOf<F extends Signature> = Awaited<ReturnType<F>>;

/** What is special about a call. */
interface CallTraits<P, R> {
  /** Buffers of the argument that move to the worker instead of being copied: callers give buffers that nothing else uses. */
  readonly movesThere?: (params: P) => readonly ArrayBuffer[];
  /** Buffers of the argument that are emptied here when the call is answered, since no caller reads them again. */
  readonly drops?: (params: P) => readonly ArrayBuffer[];
  /** Buffers of the answer that move back instead of being copied. */
  readonly movesBack?: (result: R) => readonly ArrayBuffer[];
  /** What it gives the worker is lost when that ends: an idle worker is kept from then on. */
  readonly isKept?: true;
  /** Its answer shows that the worker can do its work: crashes before it count no more. */
  readonly showsHealth?: true;
}

/** One entry of a table. */
export interface Call<F extends Signature> extends CallTraits<ParamsOf<F>, ResultOf<F>> {
  /** Only for the compiler: never set. */
  readonly signature?: F;
}

/** An entry for a method that takes and gives what `F` does. */
export function call<F extends Signature>(traits: CallTraits<ParamsOf<F>, ResultOf<F>> = {}): Call<F> {
  return traits;
}

/** What code that serves all calls sees of one. */
export type AnyCall = CallTraits<never, never>;

export type CallParams<C> = C extends Call<infer F> ? ParamsOf<F> : never;
export type CallResult<C> = C extends Call<infer F> ? ResultOf<F> : never;

/** The methods of a table, for callers and implementations. A call without argument takes none. */
export type Service<T> = {
  readonly [M in keyof T]: (
    ...given: CallParams<T[M]> extends undefined
      ? [params?: undefined, signal?: AbortSignal]
      : [params: CallParams<T[M]>, signal?: AbortSignal]
  ) => Promise<CallResult<T[M]>>;
};

/** A method whose argument is only passed on. */
export type AnyMethod = (params: unknown, signal?: AbortSignal) => Promise<unknown>;

/** The method of that name, bound. The name comes from the table that `service` implements. */
export function methodOf(service: object, name: string): AnyMethod {
  const method = (service as Readonly<Record<string, AnyMethod>>)[name];
  if (!method) throw new Error(`There is no ${name} here.`);
  return method.bind(service);
}
