import { useSyncExternalStore } from 'react';

const listeners = new Set();
let shown = [];

// pictures are those of the last answer, in its order: whatever it holds as url64p, with
// the largest address beside it.
export const pictures = {
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => shown,
  take(answer) {
    shown = [...new Map(found(answer?.data).map((picture) => [picture.small, picture])).values()];
    for (const listener of listeners) listener();
  },
};

function found(value) {
  if (!value || typeof value !== 'object') return [];
  const own = typeof value.url64p === 'string' ? [{ small: value.url64p, large: value.url ?? value.url4k ?? value.url1080p ?? value.url480p ?? value.url64p }] : [];
  return [...own, ...Object.values(value).flatMap(found)];
}

// Pictures shows the pictures of the last answer.
export function Pictures() {
  const all = useSyncExternalStore(pictures.subscribe, pictures.snapshot);
  if (all.length === 0) return null;
  return (
    <section className="pictures" aria-label="Pictures">
      {all.map(({ small, large }) => (
        <a key={small} href={large} target="_blank" rel="noreferrer">
          <img src={small} alt="" height="64" />
        </a>
      ))}
    </section>
  );
}

// drawing is a picture of the moment, as base64 of a JPEG: hills in the colours of the hour.
export function drawing() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [640, 400];
  const c = canvas.getContext('2d');
  const hue = Math.random() * 360;
  const sky = c.createLinearGradient(0, 0, 0, 400);
  sky.addColorStop(0, `hsl(${hue}, 55%, 72%)`);
  sky.addColorStop(1, `hsl(${hue + 40}, 70%, 88%)`);
  c.fillStyle = sky;
  c.fillRect(0, 0, 640, 400);
  for (let layer = 0; layer < 4; layer++) {
    c.fillStyle = `hsl(${hue + 150}, 30%, ${62 - 14 * layer}%)`;
    c.beginPath();
    c.moveTo(0, 400);
    const phase = Math.random() * 6;
    for (let x = 0; x <= 640; x += 8) c.lineTo(x, 190 + 50 * layer + 34 * Math.sin(x / (90 + 20 * layer) + phase));
    c.lineTo(640, 400);
    c.fill();
  }
  return canvas.toDataURL('image/jpeg', 0.85).split(',')[1];
}
