// Notes on runs and traces. They stand behind "Note: ", so they begin as sentences do.
// SPDX-License-Identifier: BSD-3-Clause
export const notes = [
    ["Note on {} of {} runs, here {}: {}", "Hinweis zu {} von {} Läufen, hier {}: {}"],
    ["Note on {} of {} runs: {}", "Hinweis zu {} von {} Läufen: {}"],
    ["Note: {}", "Hinweis: {}"],
    ["Warning: {}", "Warnung: {}"],
    [
        "one host cannot hold the problem; T_seq is what it would take with enough memory ({})",
        "Ein einzelner Host kann das Problem nicht fassen; T_seq ist die Zeit, die er mit genug Speicher brauchte ({})",
    ],
    [
        "the data of one rank alone take {} MB, a host has {} MB",
        "die Daten eines einzigen Rangs brauchen {} MB, ein Host hat {} MB",
    ],
    [
        "T_seq is unknown, so there is no speedup, and overheads are relative to the useful work; --baseline sets it",
        "T_seq ist unbekannt, also gibt es keinen Speedup, und Overheads beziehen sich auf die nützliche Arbeit; " +
            "--baseline setzt es",
    ],
    [
        "the hosts differ in speed, which simulations ignore: a kernel costs the same on all of them at any time",
        "Die Hosts sind verschieden schnell, was Simulationen nicht berücksichtigen: Ein Kernel kostet auf allen " +
            "und jederzeit gleich viel",
    ],
    [
        "the hosts differ in speed and have profiles of their speed, which simulations ignore: a kernel costs the " +
            "same on all of them at any time",
        "Die Hosts sind verschieden schnell und haben Profile ihrer Geschwindigkeit, was Simulationen nicht " +
            "berücksichtigen: Ein Kernel kostet auf allen und jederzeit gleich viel",
    ],
    [
        "the hosts have profiles of their speed, which simulations ignore: it is the same at any time",
        "Die Hosts haben Profile ihrer Geschwindigkeit, die Simulationen nicht berücksichtigen: Sie ist jederzeit " +
            "gleich",
    ],
    [
        "the topology has more hosts than {}, which has {}: unless dimensions are set, it is as large as the ranks " +
            "need",
        "Die Topologie hat mehr Hosts als {}, das {} hat: Ohne Angabe von dimensions ist sie so groß, wie die " +
            "Ränge es brauchen",
    ],
    ["parts of the platform are not simulated: {}", "Teile der Plattform werden nicht simuliert: {}"],
    [
        "checked {} reads of a word: each saw the last write before it",
        "{} Lesezugriffe auf ein Wort geprüft: Jeder sah den letzten Schreibzugriff davor",
    ],
    [
        "on network loggp, no message waits for a link, only on its hosts' own wires, or its ranks' in schedules: " +
            "links show what passes them, as if each message were alone",
        "Im Netz loggp wartet keine Nachricht auf eine Verbindung, nur auf den eigenen Leitungen ihrer Hosts oder, " +
            "in Abläufen, ihrer Ränge: Verbindungen zeigen, was sie passiert, als wäre jede Nachricht allein",
    ],
    [
        "messages between ranks of one host take no time on {}: {} of the messages, {} of the bytes",
        "Nachrichten zwischen Rängen eines Hosts brauchen auf {} keine Zeit: {} der Nachrichten, {} der Bytes",
    ],
    [
        "{} is called {} times outside the dimensions from {} that its cost was fitted for, first {}",
        "{} wird {}-mal außerhalb der Abmessungen von {} aufgerufen, an die seine Kosten angepasst wurden, zuerst {}",
    ],
    [
        "{} is called 1 time outside the dimensions from {} that its cost was fitted for, first {}",
        "{} wird einmal außerhalb der Abmessungen von {} aufgerufen, an die seine Kosten angepasst wurden, zuerst {}",
    ],
    ["collectives use {}", "Kollektive Operationen benutzen {}"],
    ["the algorithms of Open MPI 4.1", "die Algorithmen von Open MPI 4.1"],
    ["simrun's default algorithms", "die voreingestellten Algorithmen von simrun"],
    ["as the platform says", "wie die Plattform angibt"],
    ["the trace is from {}", "die Spur ist von {}"],
    ["whose choices simrun does not know", "dessen Wahl simrun nicht kennt"],

    // the reference files of scenarios
    [
        "the formula is the paper's with its slip corrected: N broadcasts as eq. {} has them where table {} counts p",
        "Die Formel ist die der Veröffentlichung mit berichtigtem Versehen: N Broadcasts, wie Gl. {} sie hat, wo " +
            "Tabelle {} p zählt",
    ],
    [
        "slower by {} x N^3 than the same program on {} processors or with the other broadcast: something slows " +
            "computing",
        "Um {} x N^3 langsamer als dasselbe Programm auf {} Prozessoren oder mit dem anderen Broadcast: Etwas " +
            "bremst das Rechnen",
    ],
    [
        "{} GB/s shared by three pairs: routing puts them on one wire",
        "{} GB/s für drei Paare zusammen: Die Wegewahl legt sie auf eine Leitung",
    ],

    // iterations
    [
        "no iterations were found: no scope or call repeats on all ranks",
        "Es wurden keine Iterationen gefunden: Kein Bereich oder Aufruf wiederholt sich auf allen Rängen",
    ],
    ["{} iterations by {}, usually {}; {}", "{} Iterationen nach {}, üblicherweise {}; {}"],
    ["{} (numbered as recorded, from 1)", "{} (ab 1 nummeriert, wie aufgezeichnet)"],
    ["none stands out, and there is no trend", "keine fällt auf, und es gibt keinen Trend"],
    [
        "in iteration {}, rank {} computes {} times as long as usual, in {}",
        "in Iteration {} rechnet Rang {} {}-mal so lange wie üblich, in {}",
    ],
    ["iteration {} takes {} times the usual: {}", "Iteration {} dauert {}-mal so lange wie üblich: {}"],
    ["they grow by {} each: {}", "sie werden um je {} länger: {}"],
    ["they shrink by {} each: {}", "sie werden um je {} kürzer: {}"],
    [
        "{} take {} to {} times the usual: no outliers, but iterations of another kind",
        "{} dauern {}- bis {}-mal so lange wie üblich: keine Ausreißer, sondern Iterationen anderer Art",
    ],
    ["rank {} computes longer in {}", "Rang {} rechnet länger in {}"],
    ["ranks compute longer", "Ränge rechnen länger"],
    ["ranks do more control work", "Ränge leisten mehr Steuerungsarbeit"],
    ["files take longer", "Dateien dauern länger"],
    ["sending takes longer", "Senden dauert länger"],
    ["receiving takes longer", "Empfangen dauert länger"],
    ["the message library takes longer", "die Nachrichtenbibliothek braucht länger"],
    ["ranks wait longer", "Ränge warten länger"],

    // traces
    [
        "by the clocks, {} waits ended before the awaited event began, and count as idle",
        "Nach den Uhren endeten {} Wartezeiten vor dem Beginn des erwarteten Ereignisses; sie zählen als untätig",
    ],
    [
        "by the clocks, 1 wait ended before the awaited event began, and counts as idle",
        "Nach den Uhren endete 1 Wartezeit vor dem Beginn des erwarteten Ereignisses; sie zählt als untätig",
    ],
    [
        "1 message is never received, the first of {} bytes from rank {} to rank {} with tag {}, sent at {}",
        "1 Nachricht wird nie empfangen, mit {} Bytes von Rang {} an Rang {} mit Tag {}, gesendet bei {}",
    ],
    [
        "{} messages are never received, the first of {} bytes from rank {} to rank {} with tag {}, sent at {}",
        "{} Nachrichten werden nie empfangen, die erste mit {} Bytes von Rang {} an Rang {} mit Tag {}, gesendet " +
            "bei {}",
    ],
    ["not analyzed: 1 call of {}, {} of the time", "Nicht analysiert: 1 Aufruf von {}, {} der Zeit"],
    ["not analyzed: {} calls of {}, {} of the time", "Nicht analysiert: {} Aufrufe von {}, {} der Zeit"],
    ["{} and {} others", "{} und {} andere"],
    ["{} and 1 other", "{} und 1 andere"],
    [
        "not analyzed: {} of {} threads and {} besides the ranks; {}",
        "Nicht analysiert: {} von {} Threads und {} neben den Rängen; {}",
    ],
    [
        "not analyzed: {} of 1 thread and {} besides the ranks; {}",
        "Nicht analysiert: {} von 1 Thread und {} neben den Rängen; {}",
    ],
    ["{} events", "{} Ereignisse"],
    ["1 event", "1 Ereignis"],
    ["{} accelerators", "{} Beschleunigern"],
    ["1 accelerator", "1 Beschleuniger"],
    ["a rank that waits for them counts as computing", "ein Rang, der auf sie wartet, zählt als rechnend"],
    [
        "taking as long as traced on any platform: sleep (or the load of other programs, which the trace does not " +
            "distinguish from it), {} of the critical path",
        "Auf jeder Plattform so lang wie aufgezeichnet: Schlafen (oder die Last anderer Programme, die die Spur " +
            "nicht davon unterscheidet), {} des kritischen Pfads",
    ],
    [
        "taking as long as traced on any platform: sleep, {} of the critical path",
        "Auf jeder Plattform so lang wie aufgezeichnet: Schlafen, {} des kritischen Pfads",
    ],
    [
        "taking as long as traced on any platform: kernels and copies of accelerators, and from their launch until " +
            "they begin",
        "Auf jeder Plattform so lang wie aufgezeichnet: Kernel und Kopien von Beschleunigern und die Zeit vom Start " +
            "bis zu ihrem Beginn",
    ],
    [
        "taking as long as traced on any platform: {}, {} of the time",
        "Auf jeder Plattform so lang wie aufgezeichnet: {}, {} der Zeit",
    ],
    [
        "the trace does not name the windows of one-sided communication: the k-th MPI_Win_fence of each rank is " +
            "assumed to match the k-th of the others; such calls: {}",
        "Die Spur nennt die Fenster einseitiger Kommunikation nicht: Der k-te MPI_Win_fence jedes Rangs gehört nach " +
            "Annahme zum k-ten der anderen; solche Aufrufe: {}",
    ],
    [
        "not analyzed: calls by other threads are missing from the trace: {}; what they sent and received is not " +
            "counted",
        "Nicht analysiert: Aufrufe anderer Threads fehlen in der Spur: {}; was sie sendeten und empfingen, zählt " +
            "nicht",
    ],
    [
        "the trace's definitions give a wrong number of events for {} locations; all events in the files were read",
        "Die Definitionen der Spur geben für {} Orte eine falsche Zahl von Ereignissen an; alle Ereignisse in den " +
            "Dateien wurden gelesen",
    ],
    [
        "the trace's definitions give a wrong number of events for 1 location; all events in the files were read",
        "Die Definitionen der Spur geben für 1 Ort eine falsche Zahl von Ereignissen an; alle Ereignisse in den " +
            "Dateien wurden gelesen",
    ],
    [
        "calls whose call path is too deep or one too many, and was recorded only in part: {}",
        "Aufrufe, deren Aufrufpfad zu tief oder einer zu viel ist und nur zum Teil aufgezeichnet wurde: {}",
    ],
    ["{} of {} ranks wait in {} from {} on; not in it: {}", "{} von {} Rängen warten in {} ab {}; nicht darin: {}"],
    ["rank {} waits in {} for rank {} from {} on", "Rang {} wartet in {} auf Rang {} ab {}"],
    ["rank {} waits in {} from {} on", "Rang {} wartet in {} ab {}"],
    ["rank {} waits for rank {} from {} on", "Rang {} wartet auf Rang {} ab {}"],
    ["rank {} waits from {} on", "Rang {} wartet ab {}"],
    ["rank {} is in no call after {}", "Rang {} ist nach {} in keinem Aufruf"],
    [
        "the run was aborted: this is how far it got; waits that never ended: {}",
        "Der Lauf wurde abgebrochen: So weit kam er; Wartezeiten, die nie endeten: {}",
    ],
    [
        "the trace does not record the end of {} ranks, which counts as idle: rank {}, after {}",
        "Die Spur zeichnet das Ende von {} Rängen nicht auf, es zählt als untätig: Rang {}, nach {}",
    ],
    [
        "the trace does not record the end of 1 rank, which counts as idle: rank {}, after {}",
        "Die Spur zeichnet das Ende von 1 Rang nicht auf, es zählt als untätig: Rang {}, nach {}",
    ],
    [
        "traced with {} ranks on {} cores, taking turns: only time on a processor is computation; messages took " +
            "longer than usual",
        "Aufgezeichnet mit {} Rängen auf {} Kernen, abwechselnd: Nur Zeit auf einem Prozessor ist Rechnen; " +
            "Nachrichten dauerten länger als üblich",
    ],
    [
        "traced with {} ranks on 1 core, taking turns: only time on a processor is computation; messages took longer " +
            "than usual",
        "Aufgezeichnet mit {} Rängen auf 1 Kern, abwechselnd: Nur Zeit auf einem Prozessor ist Rechnen; Nachrichten " +
            "dauerten länger als üblich",
    ],
    ["a part of the trace: {}", "Ein Teil der Spur: {}"],
    ["{} to {} of {}", "{} bis {} von {}"],
    ["ranks {} of {}, numbered from 0 here", "Ränge {} von {}, hier ab 0 nummeriert"],
    ["all ranks", "alle Ränge"],
    ["messages not counted: {}", "nicht gezählte Nachrichten: {}"],
    ["messages left out: {}", "ausgelassene Nachrichten: {}"],
    ["{} across its borders", "{} über seine Grenzen"],
    ["{} with other ranks", "{} mit anderen Rängen"],
    [
        "recording was off for {} of the program's time ({})",
        "Die Aufzeichnung war für {} der Zeit des Programms aus ({})",
    ],
    [
        "recording was off meanwhile: {} times, of all ranks together",
        "Die Aufzeichnung war zwischendurch aus: {}-mal, bei allen Rängen zusammen",
    ],
    [
        "not recorded: {} of {} ({}) between; all figures are without that time",
        "Nicht aufgezeichnet: {} von {} ({}) dazwischen; alle Zahlen sind ohne diese Zeit",
    ],
    ["EPPA_KEEP kept a part of the run ({}): {}", "EPPA_KEEP behielt einen Teil des Laufs ({}): {}"],
    ["EPPA_KEEP kept a part of the run ({})", "EPPA_KEEP behielt einen Teil des Laufs ({})"],
    ["{} of the time of rank {} to {} of rank {}", "{} der Zeit von Rang {} bis {} von Rang {}"],
    [
        "left out, since the other side was not kept: {} of the sends and receives, {} of the collectives",
        "ausgelassen, weil die andere Seite nicht behalten wurde: {} der Sende- und Empfangsoperationen, {} der " +
            "kollektiven Operationen",
    ],
    [
        "on network quiet, messages of a rank do not wait for each other on its own wire: they share it for {} of " +
            "their time on wires; networks loggp, fifo and fluid make them wait",
        "Im Netz quiet warten Nachrichten eines Rangs auf dessen eigener Leitung nicht aufeinander: Sie teilen sie " +
            "für {} ihrer Zeit auf Leitungen; die Netze loggp, fifo und fluid lassen sie warten",
    ],
    [
        "receives that were from any source: {}; they take the messages of the traced run, which come first here, too",
        "Empfangsoperationen von beliebiger Quelle: {}; sie nehmen die Nachrichten des aufgezeichneten Laufs, die " +
            "auch hier zuerst kommen",
    ],
    [
        "receives that were from any source: {}; they take the messages of the traced run, in its order, even where " +
            "others come first here",
        "Empfangsoperationen von beliebiger Quelle: {}; sie nehmen die Nachrichten des aufgezeichneten Laufs in " +
            "dessen Reihenfolge, auch wo hier andere zuerst kommen",
    ],
    [
        "by the clock, {} of these get the message of another rank: first rank {} (event {}), of rank {} in place " +
            "of {}",
        "Nach der Uhr bekommen {} davon die Nachricht eines anderen Rangs: zuerst Rang {} (Ereignis {}), von Rang {} " +
            "statt {}",
    ],
    ["ranks wait for the traced ones {} of the time", "Ränge warten auf die aufgezeichneten {} der Zeit"],
    [
        "computations take as long as traced, whatever the platform's processors; --set speed=RATE scales them. On " +
            "the traced computer, simrun calibrate --speed measures RATE",
        "Berechnungen dauern so lange wie aufgezeichnet, unabhängig von den Prozessoren der Plattform; --set " +
            "speed=RATE skaliert sie. Auf dem Rechner der Aufzeichnung misst simrun calibrate --speed RATE",
    ],
    [
        "speed has no effect: the trace has the operations of computations, which hosts do at their speed",
        "speed wirkt nicht: Die Spur enthält die Operationen der Berechnungen, die Hosts mit ihrer Geschwindigkeit " +
            "ausführen",
    ],
    [
        "non-blocking collectives go on while their ranks compute; with --set progress=calls they do not",
        "Nicht blockierende kollektive Operationen gehen weiter, während ihre Ränge rechnen; mit --set " +
            "progress=calls nicht",
    ],
    [
        "non-blocking collectives go on only while their ranks do not compute (progress=calls); with progress=always " +
            "they always do",
        "Nicht blockierende kollektive Operationen gehen nur weiter, während ihre Ränge nicht rechnen " +
            "(progress=calls); mit progress=always immer",
    ],
    [
        "receives from any source take the message that comes first in this run, which need not be the one of the " +
            "traced run",
        "Empfangsoperationen von beliebiger Quelle nehmen die Nachricht, die in diesem Lauf zuerst kommt; das muss " +
            "nicht die des aufgezeichneten Laufs sein",
    ],
    [
        "the traced run was aborted: it is replayed as far as it got, without the waits that never ended",
        "Der aufgezeichnete Lauf wurde abgebrochen: Er wird so weit abgespielt, wie er kam, ohne die Wartezeiten, " +
            "die nie endeten",
    ],
    ["--detail counters: the trace has no counters", "--detail counters: Die Spur hat keine Zähler"],
    ["--detail counters counts whole runs only, not a part", "--detail counters zählt nur ganze Läufe, keinen Teil"],
];
