/** The page: a header, and what its address says. */

import "./theme.css";
import "./frame.css";

import { Component, type ComponentChildren } from "preact";
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { DropTarget } from "./DropTarget.js";
import { gameTitle } from "./facts.js";
import { Header } from "./Header.js";
import { lazily } from "./lazily.js";
import { placeAt } from "./places.js";
import { linkTo, route, type Route } from "./routes.js";
import { serverToken } from "./server.js";
import { language, mayMove, theme } from "./settings.js";
import { texts } from "./texts.js";

const HomePage = lazily(async () => (await import("../home/HomePage.js")).HomePage);
const SetupPage = lazily(async () => (await import("../setup/SetupPage.js")).SetupPage);
const JoinPage = lazily(async () => (await import("../join/JoinPage.js")).JoinPage);
const MatchPage = lazily(async () => (await import("../match/MatchPage.js")).MatchPage);
const ReviewPage = lazily(async () => (await import("../review/ReviewPage.js")).ReviewPage);
const RulesPage = lazily(async () => (await import("../rules/RulesPage.js")).RulesPage);
const TournamentsPage = lazily(async () => (await import("../tournaments/TournamentsPage.js")).TournamentsPage);
const AboutPage = lazily(async () => (await import("../about/AboutPage.js")).AboutPage);
const LearnPage = lazily(async () => (await import("../learn/LearnPage.js")).LearnPage);
const PuzzlesPage = lazily(async () => (await import("../puzzles/PuzzlesPage.js")).PuzzlesPage);
const CoachPage = lazily(async () => (await import("../coach/CoachPage.js")).CoachPage);
const GalleryPage = lazily(async () => (await import("../gallery/GalleryPage.js")).GalleryPage);

export function App() {
  const here = route.value;
  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const address = linkTo(here);

  useSignalEffect(() => {
    const root = document.documentElement;
    root.lang = language.value;
    root.dataset["motion"] = mayMove() ? "full" : "none";
    if (theme.value === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme.value;
  });
  useSignalEffect(() => {
    const title = titleOf(route.value);
    document.title = title === "" ? texts.value.name : `${title} · ${texts.value.name}`;
  });
  // Who goes to another page is at its beginning, with the keyboard and the screen reader, too.
  useEffect(() => {
    if (!isFirst.current) {
      scrollTo(0, 0);
      content.current?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [address]);

  return (
    <>
      <Header />
      <main id="content" class={`page page-${here.page}`} tabIndex={-1} ref={content}>
        <Guard key={`${address} ${serverToken.value}`}>
          <Page here={here} />
        </Guard>
      </main>
      <DropTarget />
    </>
  );
}

function Page({ here }: { here: Route }) {
  if (here.page === "home") return <HomePage />;
  if (here.page === "setup") return <SetupPage game={here.game} way={here.way} />;
  if (here.page === "join") return <JoinPage code={here.code} invitation={here.invitation} />;
  if (here.page === "match") return <MatchPage match={here.match} seat={here.seat} />;
  if (here.page === "review") return <ReviewPage match={here.match} seat={here.seat} />;
  if (here.page === "rules") return <RulesPage game={here.game} />;
  if (here.page === "tournaments") return <TournamentsPage name={here.name} />;
  if (here.page === "game") return <ReviewPage match={undefined} seat={undefined} game={here} />;
  if (here.page === "about") return <AboutPage />;
  if (here.page === "learn") return <LearnPage game={here.game} />;
  if (here.page === "puzzles") return <PuzzlesPage game={here.game} puzzle={here.puzzle} />;
  if (here.page === "coach") return <CoachPage game={here.game} table={here.table} />;
  if (here.page === "gallery") return <GalleryPage />;
  return <Lost />;
}

function titleOf(here: Route): string {
  const words = texts.value.titles;
  if (here.page === "home") return "";
  if (here.page === "setup" || here.page === "rules" || here.page === "learn") return words[here.page](gameTitle(here.game));
  if (here.page === "match") return words.match(gameTitle(placeAt(here.match, here.seat)?.game ?? ""));
  return words[here.page];
}

function Lost() {
  const words = texts.value.lost;
  return (
    <div class="column stack">
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      <p>
        <a class="button" href={linkTo({ page: "home" })}>
          {words.home}
        </a>
      </p>
    </div>
  );
}

/** Keeps a fault of one page from taking the header with it. */
class Guard extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    const words = texts.value.broken;
    return (
      <div class="column stack" role="alert">
        <h1>{words.title}</h1>
        <p>{words.text}</p>
        <p>
          <button type="button" class="primary" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </p>
      </div>
    );
  }
}
