// Models of measures, and which part of the time grows.
// SPDX-License-Identifier: BSD-3-Clause
export const growth = [
    ["Models over {} (times in s)", "Modelle über {} (Zeiten in s)"],
    ["Models over {}", "Modelle über {}"],
    ["Models", "Modelle"],
    ["{=} = {=} ... {=}", "{} = {} ... {}"],
    ["{=} = {=}", "{} = {}"],
    ["{}: no model: {}", "{}: kein Modell: {}"],
    ["{=} = {=}; at {=}: {=} (not supported)", "{} = {}; bei {}: {} (nicht gestützt)"],
    ["{=} = {=}; at {=}: {=}", "{} = {}; bei {}: {}"],
    ["at {}: {} (not supported)", "bei {}: {} (nicht gestützt)"],
    ["at {}: {}", "bei {}: {}"],
    [
        "{=}: no formula is better than the mean value beyond chance",
        "{}: Keine Formel ist besser als der Mittelwert, über den Zufall hinaus",
    ],
    ["{=}: 1 other formula may be right, too: {=}.", "{}: 1 andere Formel kann auch richtig sein: {}."],
    [
        "{=}: {=} other formulas may be right, too: {=}; ... more in -f json.",
        "{}: {} andere Formeln können auch richtig sein: {}; ... weitere mit -f json.",
    ],
    ["{=}: {=} other formulas may be right, too: {=}.", "{}: {} andere Formeln können auch richtig sein: {}."],
    ["{=} at {=} is not supported by the data: {}", "{} bei {} wird von den Daten nicht gestützt: {}"],
    ["{=} is not supported by the data: {}", "{} wird von den Daten nicht gestützt: {}"],
    ["{=} is not supported by the data", "{} wird von den Daten nicht gestützt"],
    ["{=} changes between {} and {}: up to {} it is {}", "{} ändert sich zwischen {} und {}: Bis {} ist es {}"],
    [
        "left-out points are missed by more than a quarter",
        "ausgelassene Punkte werden um mehr als ein Viertel verfehlt",
    ],
    [
        "the largest points lie above the prediction from the others, so it says little beyond them",
        "die größten Punkte liegen über der Vorhersage aus den anderen, also sagt sie jenseits von ihnen wenig",
    ],
    [
        "the largest points lie below the prediction from the others, so it says little beyond them",
        "die größten Punkte liegen unter der Vorhersage aus den anderen, also sagt sie jenseits von ihnen wenig",
    ],
    ["the formula changes its sign on the way", "die Formel wechselt unterwegs das Vorzeichen"],
    ["the band is wider than the value", "das Band ist breiter als der Wert"],
    [
        "the noise is not known well: if it is as large as it may be, the band is wider than the value",
        "das Rauschen ist schlecht bekannt: Ist es so groß, wie es sein kann, ist das Band breiter als der Wert",
    ],
    ["fewer than 5 points, or than 6 without repetitions", "weniger als 5 Punkte, oder als 6 ohne Wiederholungen"],
    [
        "SMAPE is that of each point from the model made without it, constant that from the mean; R2 is adjusted. " +
            "The band is where one more measurement would lie.",
        "SMAPE ist die Abweichung jedes Punkts von dem Modell, das ohne ihn entsteht, Konstante die vom Mittel; R2 " +
            "ist angepasst. Im Band läge eine weitere Messung.",
    ],
    ["With -v each run stands beside its formula.", "Mit -v steht jeder Lauf neben seiner Formel."],
    ["Points with different {} are of one series.", "Punkte mit verschiedenem {} gehören zu einer Reihe."],
    [
        "{}: one value at each place of the models, so no series of its own.",
        "{}: ein Wert an jeder Stelle der Modelle, also keine eigene Reihe.",
    ],
    [
        "{}: one value at each place of the models, so no series of their own.",
        "{}: ein Wert an jeder Stelle der Modelle, also keine eigenen Reihen.",
    ],
    [
        "Warning: runs with the same parameters differ {}-fold in their time. A program that does not say its size " +
            "(eppa_parameter) has runs that cannot be told apart.",
        "Warnung: Läufe mit denselben Parametern unterscheiden sich in ihrer Zeit um das {}-fache. Läufe eines " +
            "Programms, das seine Größe nicht angibt (eppa_parameter), lassen sich nicht unterscheiden.",
    ],
    [
        "T_seq of {} of {} runs is the time of the same problem on one rank.",
        "T_seq von {} der {} Läufe ist die Zeit desselben Problems auf einem Rang.",
    ],
    [
        "Warning: {} points are too few to support a model; it takes {} and more.",
        "Warnung: {} Punkte sind zu wenige, um ein Modell zu stützen; nötig sind {} und mehr.",
    ],
    [
        "These {} of {} models grow most, of what is at least {} % of the largest value of its measure; the others " +
            "are in -v, -f csv and -f json.",
        "Diese {} von {} Modellen wachsen am meisten, unter denen mit mindestens {} % des größten Werts ihres " +
            "Maßes; die anderen stehen in -v, -f csv und -f json.",
    ],
    ["Largest of {=}: {}", "Am größten von {}: {}"],
    ["{} on (extrapolated)", "{} an (extrapoliert)"],
    ["{} from {} on (extrapolated)", "{} ab {} (extrapoliert)"],
    ["... {} series more: -v.", "... {} weitere Reihen: -v."],

    // laws in words: after "wie", so that all are in the nominative
    ["{=} grows toward a bound, as {}", "{} wächst gegen eine Grenze, wie {}"],
    ["{=} grows with {}", "{} wächst wie {}"],
    ["{=} falls with {}", "{} fällt, wie {} wächst"],
    ["{=} falls as {}", "{} fällt wie {}"],
    ["{=} goes with {}", "{} verläuft wie {}"],
    ["{=} goes against {}", "{} fällt, wie {} steigt"],
    ["then grows toward a bound, as {}", "wächst dann gegen eine Grenze, wie {}"],
    ["then grows with {}", "wächst dann wie {}"],
    ["then falls with {}", "fällt dann, wie {} wächst"],
    ["then falls as {}", "fällt dann wie {}"],
    ["then goes with {}", "verläuft dann wie {}"],
    ["then goes against {}", "fällt dann, wie {} steigt"],
    ["grows toward a bound, as {}", "wächst gegen eine Grenze, wie {}"],
    ["grows with {}", "wächst wie {}"],
    ["falls with {}", "fällt, wie {} wächst"],
    ["falls as {}", "fällt wie {}"],
    ["goes with {}", "verläuft wie {}"],
    ["goes against {}", "fällt, wie {} steigt"],
    ["plus {}", "dazu {}"],
    ["{=} does not grow with {} beyond chance", "{} wächst nicht über den Zufall hinaus mit {}"],
    ["1 other grows less", "1 weiteres wächst weniger"],
    ["{} others grow less", "{} weitere wachsen weniger"],
    ["1 other grows less, or matter less", "1 weiteres wächst weniger oder ist unwichtiger"],
    ["{} others grow less, or matter less", "{} weitere wachsen weniger oder sind unwichtiger"],
    ["not supported by the data", "von den Daten nicht gestützt"],
    ["the ranks", "die Rangzahl"],
    ["the {} of the ranks", "{} der Rangzahl"],
    ["the {} of {}", "{} von {}"],
    ["the inverse of the ranks", "der Kehrwert der Rangzahl"],
    ["the inverse of {=}", "der Kehrwert von {}"],
    ["square", "das Quadrat"],
    ["cube", "die dritte Potenz"],
    ["square root", "die Quadratwurzel"],
    ["cube root", "die Kubikwurzel"],
    ["fourth root", "die vierte Wurzel"],
    ["inverse", "der Kehrwert"],
    ["inverse square", "der Kehrwert des Quadrats"],
    ["inverse cube", "der Kehrwert der dritten Potenz"],
    ["inverse square root", "der Kehrwert der Quadratwurzel"],
    ["inverse cube root", "der Kehrwert der Kubikwurzel"],
    ["inverse fourth root", "der Kehrwert der vierten Wurzel"],
    ["logarithm", "der Logarithmus"],
    ["squared logarithm", "das Quadrat des Logarithmus"],
    ["inverse power {}", "der Kehrwert der Potenz {}"],
    ["power {}", "die Potenz {}"],
    ["at {} ranks {}", "bei {} Rängen {}"],
    ["at 1 rank {}", "bei 1 Rang {}"],
    ["at {} = {} {}", "bei {} = {} {}"],

    // which part grows
    ["The time by function of the message library, {}", "Die Zeit nach Funktionen der Nachrichtenbibliothek, {}"],
    ["The time by scope, {}", "Die Zeit nach Bereichen, {}"],
    ["The time by state, {}", "Die Zeit nach Zuständen, {}"],
    ["mean of a rank, over {}", "Mittel eines Rangs, über {}"],
    ["Functions are known only for traces.", "Funktionen sind nur bei Spuren bekannt."],
    [
        "Warning: no function is called in all runs. Are they runs of the same program?",
        "Warnung: Keine Funktion wird in allen Läufen aufgerufen. Sind es Läufe desselben Programms?",
    ],
    [
        "Computation per rank does not fall with the ranks: all do the same work (replicated), or the problem grows " +
            "with them.",
        "Das Rechnen je Rang nimmt mit der Rangzahl nicht ab: Alle leisten dieselbe Arbeit (repliziert), oder das " +
            "Problem wächst mit ihnen.",
    ],
    [
        "The parts add up to {} at {} ranks; the model of the time itself says {}. Parts without a formula are " +
            "assumed not to change.",
        "Die Teile ergeben bei {1} Rängen zusammen {0}; das Modell der Zeit selbst sagt {2}. Teile ohne Formel " +
            "bleiben nach Annahme gleich.",
    ],
    [
        "The parts add up to {} at {} ranks; the model of the time itself says {}.",
        "Die Teile ergeben bei {1} Rängen zusammen {0}; das Modell der Zeit selbst sagt {2}.",
    ],
    ["{} more", "{} mehr"],
    ["{} less", "{} weniger"],
    [
        "Not there at {}; so there is no prediction for it.",
        "Nicht vorhanden bei {}; also gibt es dafür keine Vorhersage.",
    ],
    [
        "Not there at {}; its formula is from the other runs.",
        "Nicht vorhanden bei {}; die Formel stammt aus den anderen Läufen.",
    ],
    ["{} (too few others)", "{} (zu wenige andere)"],
    ["... {} smaller: -v.", "... {} kleinere: -v."],
    ["At {} ranks {} of the time will be {}", "Bei {} Rängen werden {} der Zeit {} sein"],
    ["at {} ranks {} of the time will be {}", "bei {} Rängen werden {} der Zeit {} sein"],
    ["At {} {} of the time will be {}", "Bei {} werden {} der Zeit {} sein"],
    ["at {} {} of the time will be {}", "bei {} werden {} der Zeit {} sein"],
    ["By scope: {}", "Nach Bereichen: {}"],
    ["by scope: {}", "nach Bereichen: {}"],
    ["it grows fastest", "das wächst am schnellsten"],
    ["it adds most to the time", "das trägt am meisten zur Zeit bei"],
    ["as {=}", "wie {}"],
    ["toward a bound", "gegen eine Grenze"],
    ["Not supported by the data", "Von den Daten nicht gestützt"],
    ["{} grows faster", "{} wächst schneller"],
    ["to {} ({} to {})", "auf {} ({} bis {})"],
    ["to {}", "auf {}"],
    ["which is not supported", "was nicht gestützt ist"],
    ["No part is seen to grow", "Kein Teil wächst erkennbar"],
    ["no part is seen to grow", "kein Teil wächst erkennbar"],
    ["No part has grown", "Kein Teil ist gewachsen"],
    ["no part has grown", "kein Teil ist gewachsen"],
    [
        "From {} to {} ranks {} grew most, from {} to {} of the time",
        "Von {} bis {} Rängen wuchs {} am meisten, von {} auf {} der Zeit",
    ],
    [
        "from {} to {} ranks {} grew most, from {} to {} of the time",
        "von {} bis {} Rängen wuchs {} am meisten, von {} auf {} der Zeit",
    ],
    ["No formula holds at the last place", "An der letzten Stelle gilt keine Formel"],
    [
        "{} different values of {=} are too few for a formula: it takes {}, and {} to support one",
        "{} verschiedene Werte von {} sind zu wenige für eine Formel: Nötig sind {}, und {}, um eine zu stützen",
    ],
    ["{} outside of functions", "{} außerhalb von Funktionen"],
    ["{} in scope {=}", "{} im Bereich {}"],
    ["other functions", "andere Funktionen"],
    ["other scopes", "andere Bereiche"],
    ["no function", "keine Funktion"],

    // what to measure next
    [
        "Simulate {}, about {}, to test the formula of {=}, which its points contradict.",
        "Simulieren Sie {}, etwa {}, um die Formel von {} zu prüfen, der ihre Punkte widersprechen.",
    ],
    [
        "Simulate {}, about {}, to test the formula of {=}: there are too few points to tell more.",
        "Simulieren Sie {}, etwa {}, um die Formel von {} zu prüfen: Es sind zu wenige Punkte, um mehr zu sagen.",
    ],
    [
        "Simulate {}, to test the formula of {=}, which its points contradict.",
        "Simulieren Sie {}, um die Formel von {} zu prüfen, der ihre Punkte widersprechen.",
    ],
    [
        "Simulate {}, to test the formula of {=}: there are too few points to tell more.",
        "Simulieren Sie {}, um die Formel von {} zu prüfen: Es sind zu wenige Punkte, um mehr zu sagen.",
    ],
    [
        "Measure {}, about {}, to test the formula of {=}, which its points contradict.",
        "Messen Sie {}, etwa {}, um die Formel von {} zu prüfen, der ihre Punkte widersprechen.",
    ],
    [
        "Measure {}, about {}, to test the formula of {=}: there are too few points to tell more.",
        "Messen Sie {}, etwa {}, um die Formel von {} zu prüfen: Es sind zu wenige Punkte, um mehr zu sagen.",
    ],
    [
        "Measure {}, to test the formula of {=}, which its points contradict.",
        "Messen Sie {}, um die Formel von {} zu prüfen, der ihre Punkte widersprechen.",
    ],
    [
        "Measure {}, to test the formula of {=}: there are too few points to tell more.",
        "Messen Sie {}, um die Formel von {} zu prüfen: Es sind zu wenige Punkte, um mehr zu sagen.",
    ],
    [
        "To narrow the band of {=} at {} from {} to about {}, simulate {}",
        "Um das Band von {} bei {} von {} auf etwa {} zu verengen, simulieren Sie {}",
    ],
    [
        "To narrow the band of {=} at {} from {} to about {}, measure {}",
        "Um das Band von {} bei {} von {} auf etwa {} zu verengen, messen Sie {}",
    ],
    ["or, no larger than so far, {}", "oder, nicht größer als bisher, {}"],
    ["about {}", "etwa {}"],
    ["{} again", "noch einmal {}"],
];
