// What the samples use of @huggingface/transformers, in the types of its version 4.3.2.

declare module "@huggingface/transformers" {
  export const env: { localModelPath: string; allowRemoteModels: boolean };
  interface Options {
    pooling?: "none" | "mean" | "cls" | "first_token" | "eos" | "last_token";
    normalize?: boolean;
  }
  export function pipeline(
    task: "feature-extraction",
    model?: string,
    options?: { dtype?: "fp32" | "fp16" | "q8" | "q4" },
  ): Promise<(texts: string | string[], options?: Options) => Promise<{ tolist(): number[][] }>>;
}
