import type { BuildOptions } from 'esbuild';

export declare const webBundles: { readonly webExtension: BuildOptions; readonly webWorker: BuildOptions };
export declare const webTests: BuildOptions;
