const everyMs = 4_000;
const maxMs = 3_000;
const why = document.getElementById('why');
const advice = document.getElementById('advice');

const noNetwork = {
  why: 'This device is in no network.',
  advice: ['Switch on Wi-Fi, and choose the network at home.', 'Flight mode must be off.'],
};
const noAnswer = {
  why: `Nothing answers at ${location.host}.`,
  advice: [
    'Is this device in your network at home? Hearth is not to be found anywhere else.',
    'Is the machine that runs Hearth switched on? On it, "make status" shows what is wrong.',
    'Has the machine got another address? "make phone" shows the new one.',
  ],
};

function show() {
  const now = navigator.onLine ? noAnswer : noNetwork;
  if (why.textContent === now.why) return;
  why.textContent = now.why;
  advice.replaceChildren(
    ...now.advice.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
}

async function look() {
  show();
  try {
    const { ok } = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(maxMs) });
    if (ok) location.reload();
  } catch {
    show();
  }
}

document.getElementById('again').addEventListener('click', look);
addEventListener('online', look);
addEventListener('offline', show);
setInterval(look, everyMs);
void look();
