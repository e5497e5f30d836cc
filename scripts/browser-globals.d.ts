// The globals of Node that the library names, for the check of the browser's build by tsconfig.browser.json. scripts/bundle.mjs gives
// each from the file that is named here.

declare global {
  var Buffer: typeof import("../src/browser/buffer.js").Buffer;
  type Buffer = import("../src/browser/buffer.js").Buffer;
  var setImmediate: typeof import("../src/browser/platform.js").setImmediate;
  var process: typeof import("../src/browser/platform.js").process;
  /** Of CommonJS, and therefore missing; the library knows that. */
  var __filename: string;
  interface ImportMeta {
    filename: string;
  }
  /** A timer is a number. */
  interface Number {
    unref?(): void;
  }
  namespace NodeJS {
    interface ErrnoException extends Error {
      code?: string;
    }
    type Timeout = number;
  }
}

export {};
