const paths = {
  flame:
    'M12 2c.8 4 5.5 5.5 5.5 11a5.5 5.5 0 0 1-11 0c0-3 1.5-4.7 2.3-6.3.8 1.6 1.6 2.4 2.4 2.4.8-2.4 0-4.8.8-7.1z',
  talk: 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  muted: 'M15 9.5V6a3 3 0 0 0-5.8-1M9 9v3a3 3 0 0 0 4.8 2.4M5.5 11.5a6.5 6.5 0 0 0 10.6 5M12 18v3M4 4l16 16',
  activity: 'M4 6h9M4 12h14M9 18h11',
  home: 'M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M6 15v4',
  send: 'M4 12l16-8-6 16-3-6z',
  announce: 'M3 10v4h3l11 5V5L6 10zM7 14v5h3v-3.6M20 9.5v5',
  loud: 'M4 10v4h3l6 4V6l-6 4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  quiet: 'M4 10v4h3l6 4V6l-6 4zM16.5 9.5l5 5M21.5 9.5l-5 5',
  bell: 'M12 4a5 5 0 0 1 5 5v4l2 3H5l2-3V9a5 5 0 0 1 5-5zM10 19a2 2 0 0 0 4 0',
  stop: 'M7 7h10v10H7z',
  timer: 'M12 8v5l3 2M9 2h6M12 5a8 8 0 1 1 0 16 8 8 0 0 1 0-16z',
} as const;

/** A decorative drawing without its own meaning, hidden from screen readers. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
