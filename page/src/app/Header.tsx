/** The head of every page: the way home, the language, the settings. */

import { useState } from "preact/hooks";

import { lazily } from "./lazily.js";
import { linkTo } from "./routes.js";
import { language } from "./settings.js";
import { texts } from "./texts.js";
import { LANGUAGES } from "./wording.js";

const SettingsPanel = lazily(async () => (await import("../settings/SettingsPanel.js")).SettingsPanel);

export function Header() {
  const words = texts.value;
  const other = language.value === "fr" ? LANGUAGES[0] : LANGUAGES[1];
  return (
    <header class="header">
      <a class="header-skip" href="#content" onClick={skip}>
        {words.skip}
      </a>
      <a class="header-home" href={linkTo({ page: "home" })} title={words.home}>
        <Brand />
        <span>{words.name}</span>
      </a>
      <nav class="header-ways">
        <a class="button quiet small header-about" href={linkTo({ page: "about" })}>
          {words.about}
        </a>
        {other !== undefined && (
          <button type="button" class="quiet small" lang={other[0]} onClick={() => (language.value = other[0])}>
            <span aria-hidden="true">{other[0].toUpperCase()}</span>
            <span class="heard">{other[1]}</span>
          </button>
        )}
        <button type="button" class="quiet small header-settings" popovertarget="settings" title={words.settings}>
          <Sliders />
          <span class="heard">{words.settings}</span>
        </button>
      </nav>
      <Settings />
    </header>
  );
}

// The fragment is the page's route, so the link cannot do it by itself.
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

// What is in it is fetched when it is opened first.
function Settings() {
  const [isWanted, want] = useState(false);
  return (
    <div id="settings" class="settings stack" popover="auto" role="dialog" aria-label={texts.value.settings} onToggle={() => want(true)}>
      {isWanted && <SettingsPanel />}
    </div>
  );
}

/** The sign of the house: a spade that looks at you. */
function Brand() {
  return (
    <svg class="brand" viewBox="0 0 64 64" width="32" height="32" aria-hidden="true">
      <rect class="brand-ground" width="64" height="64" rx="14" />
      <rect class="brand-card" x="12" y="6" width="40" height="52" rx="6" />
      <path
        class="brand-spade"
        d="M32 13c5 8.500 16.500 12.500 16.500 23.500 0 6.500-5.500 10.300-11 8.800-1.500-.4-2.700-1.200-3.600-2.300.4 3.700 2 6.500 4.600 8.500h-13c2.600-2 4.200-4.800 4.600-8.500-.9 1.100-2.100 1.900-3.600 2.300-5.500 1.500-11-2.300-11-8.800C15.500 25.500 27 21.500 32 13z"
      />
      <path
        class="brand-card"
        d="M19.500 34.500c3.500-2 7.500-1.300 9.700 2.300-3.700 1.900-8 1.300-9.700-2.300zM44.500 34.500c-3.500-2-7.500-1.300-9.700 2.300 3.700 1.900 8 1.300 9.700-2.300z"
      />
    </svg>
  );
}

function Sliders() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round">
      <path d="M3 5.500h6M14 5.500h3M3 14.500h3M11 14.500h6" />
      <circle cx="11.500" cy="5.500" r="2.300" />
      <circle cx="8.500" cy="14.500" r="2.300" />
    </svg>
  );
}
