// A phone that is called: it vibrates, says so with a sound, and its screen stays awake while a choice is awaited.

let called = false, lock = null, sound = null;

export function lookWhetherCalled() {
  const now = Boolean(document.querySelector("[data-called]"));
  if (now && !called) call();
  if (now !== called) stayAwake(now);
  called = now;
}

// Browsers let a page sound only after it was touched: the first tap (the seat) opens the way.
export function installCall() {
  addEventListener("pointerdown", () => {
    sound ??= new (window.AudioContext ?? window.webkitAudioContext ?? class { })();
    sound.resume?.().catch(() => {});
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && called) stayAwake(true); });
  lookWhetherCalled();
}

function call() {
  navigator.vibrate?.([200, 100, 200]);
  if (!sound?.createOscillator) return;
  for (const [start, pitch] of [[0, 660], [0.18, 880]]) {
    const tone = sound.createOscillator(), loudness = sound.createGain(), from = sound.currentTime + start;
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.2, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
    tone.connect(loudness).connect(sound.destination);
    tone.start(from);
    tone.stop(from + 0.4);
  }
}

async function stayAwake(on) {
  if (!on) {
    await lock?.release().catch(() => {});
    lock = null;
  } else lock = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;  // needs a secure page; without it the sound calls
}
