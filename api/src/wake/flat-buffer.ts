import { UnreadableModel } from './unreadable-model.ts';

/** A FlatBuffers table: optional fields by number. */
export interface FlatBufferTable {
  /** Its offset in the file. */
  readonly at: number;
  int8(field: number, otherwise?: number): number;
  int32(field: number, otherwise?: number): number;
  text(field: number): string;
  table(field: number): FlatBufferTable | null;
  tables(field: number): FlatBufferTable[];
  int32s(field: number): number[];
  /** 64-bit integers, each small enough for an exact double. */
  int64s(field: number): number[];
  float32s(field: number): number[];
  bytes(field: number): Uint8Array | null;
}

/** Maximum length of a list or text. Wake word files stay below it. */
const maxItems = 4_096;

/**
 * Reads an untrusted FlatBuffers file. It checks every offset and list length before reading. It follows
 * references only on demand, so cycles are harmless.
 */
export function readFlatBuffer(file: Uint8Array, identifier: string): FlatBufferTable {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = file.length < 8 ? '' : String.fromCharCode(...file.subarray(4, 8));
  if (found !== identifier) throw new UnreadableModel('it is not a TensorFlow Lite file');
  return tableAt(view, referenceAt(view, 0));
}

function within(view: DataView, at: number, bytes: number): number {
  if (at >= 0 && at + bytes <= view.byteLength) return at;
  throw new UnreadableModel('it is cut off or damaged');
}

/** The target of the reference at an offset. */
function referenceAt(view: DataView, at: number): number {
  return at + view.getUint32(within(view, at, 4), true);
}

interface Items {
  begin: number;
  count: number;
}

function tableAt(view: DataView, at: number): FlatBufferTable {
  const layout = at - view.getInt32(within(view, at, 4), true);
  const layoutBytes = view.getUint16(within(view, layout, 4), true);
  within(view, layout, layoutBytes);
  /** The offset of a field. Null: it is absent. */
  const placeOf = (field: number, bytes: number): number | null => {
    const entry = 4 + 2 * field;
    const offset = entry + 2 <= layoutBytes ? view.getUint16(within(view, layout + entry, 2), true) : 0;
    return offset === 0 ? null : within(view, at + offset, bytes);
  };
  const itemsOf = (field: number, bytes: number, most = maxItems): Items | null => {
    const place = placeOf(field, 4);
    if (place === null) return null;
    const list = referenceAt(view, place);
    const count = view.getUint32(within(view, list, 4), true);
    if (count > most) throw new UnreadableModel('it is cut off or damaged');
    within(view, list + 4, count * bytes);
    return { begin: list + 4, count };
  };
  const numbersOf = (field: number, bytes: number, read: (place: number) => number): number[] => {
    const items = itemsOf(field, bytes);
    return items === null ? [] : Array.from({ length: items.count }, (_, n) => read(items.begin + n * bytes));
  };
  const bytes = (field: number): Uint8Array | null => {
    const items = itemsOf(field, 1, view.byteLength);
    return items === null ? null : new Uint8Array(view.buffer, view.byteOffset + items.begin, items.count);
  };

  return {
    at,
    int8: (field, otherwise = 0) => {
      const place = placeOf(field, 1);
      return place === null ? otherwise : view.getInt8(place);
    },
    int32: (field, otherwise = 0) => {
      const place = placeOf(field, 4);
      return place === null ? otherwise : view.getInt32(place, true);
    },
    text: (field) => new TextDecoder().decode(bytes(field)?.subarray(0, maxItems)),
    table: (field) => {
      const place = placeOf(field, 4);
      return place === null ? null : tableAt(view, referenceAt(view, place));
    },
    tables: (field) => {
      const items = itemsOf(field, 4);
      if (items === null) return [];
      return Array.from({ length: items.count }, (_, n) =>
        tableAt(view, referenceAt(view, items.begin + 4 * n)),
      );
    },
    int32s: (field) => numbersOf(field, 4, (place) => view.getInt32(place, true)),
    int64s: (field) => numbersOf(field, 8, (place) => Number(view.getBigInt64(place, true))),
    float32s: (field) => numbersOf(field, 4, (place) => view.getFloat32(place, true)),
    bytes,
  };
}
