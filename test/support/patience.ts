/** How many times longer than usual a test may take: slow hosts and busy machines set it by TEST_PATIENCE. */
export const PATIENCE: number = Number(process.env.TEST_PATIENCE ?? 1);
