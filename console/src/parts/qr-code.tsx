import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../language/translate.ts';
import { useOnDemand } from './on-demand.tsx';

type Encode = typeof import('uqr')['encode'];

interface Squares {
  size: number;
  path: string;
}

/** Width of the light margin that cameras need. */
const border = 3;

/** A text as a QR code, dark on light in every colour scheme. Loads the drawing code on demand. */
export function QrCode({ text }: { text: string }) {
  const { loaded, load, failure } = useOnDemand(t('The QR code'), () => import('uqr'));
  useEffect(() => void load(), []);
  const code = loaded.value;
  const squares = useMemo(() => code && draw(code.encode, text), [code, text]);
  if (squares === null) return failure || null;
  const { size, path } = squares;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width="240"
      height="240"
      role="img"
      aria-label={t('A QR code with the link below')}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

function draw(encode: Encode, text: string): Squares {
  const { size, data } = encode(text, { border, ecc: 'M' });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: path.join('') };
}
