// All panels, in the order of the page: a file and a line each. A panel is { id, title, about, terms, wide, wants(study),
// draw(frame, study) }.
import { answer } from "./answer.js";
import { overheads } from "./overheads.js";
import { scaling } from "./scaling.js";
import { timeline } from "./timeline.js";

export const panels = [answer, scaling, overheads, timeline];
