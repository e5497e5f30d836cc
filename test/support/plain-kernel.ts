// Takes WebAssembly away before anything asks for it: `KERNEL=plain npx vitest run` judges the plain kernels by the same tests.

Reflect.deleteProperty(globalThis, "WebAssembly");
