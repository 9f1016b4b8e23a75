// Numbers out of base64. The page runs on little-endian machines only, as all browsers of today do.

/** What newer browsers have built in. */
const kBuiltIn = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;

function bytesOf(text: string): Uint8Array {
  if (kBuiltIn) return kBuiltIn.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function checked(bytes: Uint8Array, width: number, expected: number | undefined, what: string): ArrayBuffer {
  if (bytes.length % width !== 0 || (expected !== undefined && bytes.length !== expected * width))
    throw new Error(`${what}: ${bytes.length} bytes` + (expected === undefined ? "" : `, not ${expected} numbers of ${width}`));
  return bytes.buffer as ArrayBuffer;
}

export function decodeF32(text: string, what: string, expected?: number): Float32Array {
  return new Float32Array(checked(bytesOf(text), 4, expected, what));
}

export function decodeF64(text: string, what: string, expected?: number): Float64Array {
  return new Float64Array(checked(bytesOf(text), 8, expected, what));
}

export function decodeI32(text: string, what: string, expected?: number): Int32Array {
  return new Int32Array(checked(bytesOf(text), 4, expected, what));
}

export function decodeU32(text: string, what: string, expected?: number): Uint32Array {
  return new Uint32Array(checked(bytesOf(text), 4, expected, what));
}
