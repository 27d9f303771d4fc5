const everyMs = 4_000;
const maxMs = 3_000;
const why = document.getElementById('why');
const advice = document.getElementById('advice');

const noNetwork = {
  why: 'This device has no network connection.',
  advice: ['Turn on Wi-Fi, and join your home network.', 'Turn off flight mode.'],
};
const noAnswer = {
  why: `Nothing answers at ${location.host}.`,
  advice: [
    'Is this device in your home network? Hearth can only be reached from there.',
    'Is the machine that runs Hearth on? On it, "make status" shows what is wrong.',
    'Has the address of that machine changed? "make phone" shows the new one.',
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
