import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Squares {
  size: number;
  path: string;
}

/** Width of the light margin that cameras need. */
const border = 3;

/** A text as a QR code, dark on light in every colour scheme. Loads the drawing code on demand. */
export function QrCode({ text }: { text: string }) {
  const squares = useSignal<Squares | null>(null);
  useEffect(() => {
    void draw(text).then((drawn) => (squares.value = drawn));
  }, [text]);
  if (squares.value === null) return null;
  const { size, path } = squares.value;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width="240"
      height="240"
      role="img"
      aria-label="A QR code with the link below"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

async function draw(text: string): Promise<Squares> {
  const { encode } = await import('uqr');
  const { size, data } = encode(text, { border, ecc: 'M' });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: path.join('') };
}
