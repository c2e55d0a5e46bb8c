/** JSON that a test looks into freely; what its fields are is what the test asserts. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where tests say that they look into whatever came back
export type AnyJson = any;
