import { render } from "preact";

import { App } from "./app/App.js";

const root = document.getElementById("page");
if (root !== null) render(<App />, root);
