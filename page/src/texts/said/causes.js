// Gains of a run without a cause, and the tables of waits, calls, threads and streams.
// SPDX-License-Identifier: BSD-3-Clause
export const causes = [
    [
        "What a run gains without a cause (gain: how much shorter the run is; share: the cause's part of the " +
            "critical path)",
        "Was ein Lauf ohne eine Ursache gewinnt (Gewinn: um wie viel der Lauf kürzer ist; Anteil: der Teil der " +
            "Ursache am kritischen Pfad)",
    ],
    ["Gains, {}", "Gewinne, {}"],
    ["Without {} it would take {}", "Ohne {} wären es {}"],
    ["without {} it would take {}", "ohne {} wären es {}"],
    [
        "Without any single cause, it would be less than {} shorter",
        "Ohne irgendeine einzelne Ursache wäre er weniger als {} kürzer",
    ],
    [
        "without any single cause, it would be less than {} shorter",
        "ohne irgendeine einzelne Ursache wäre er weniger als {} kürzer",
    ],
    [
        "Gain and share are too small to matter, below {} of the time: {}",
        "Gewinn und Anteil sind unbedeutend, unter {} der Zeit: {}",
    ],
    [
        "Without a share, because the causes of waiting are not known here: {}",
        "Ohne Anteil, weil die Ursachen des Wartens hier nicht bekannt sind: {}",
    ],
    ["Not removed: {}", "Nicht entfernt: {}"],
    ["removed", "entfernt"],
    ["not of programs that share memory", "nicht bei Programmen mit gemeinsamem Speicher"],
    ["only of programs that share memory", "nur bei Programmen mit gemeinsamem Speicher"],
    ["without it the program does not end", "ohne sie endet das Programm nicht"],
    [
        "Efficiencies (POP): the share of the time in which ranks do useful work, and its factors",
        "Effizienzen (POP): der Anteil der Zeit, in dem Ränge nützliche Arbeit leisten, und seine Faktoren",
    ],
    [
        "Efficiencies (POP): the share of the time in which processors do useful work, and its factors",
        "Effizienzen (POP): der Anteil der Zeit, in dem Prozessoren nützliche Arbeit leisten, und seine Faktoren",
    ],
    [
        "Load balance: mean / largest useful work of a rank; serialization: largest useful work / ideal time; " +
            "transfer: ideal time / time.",
        "Lastverteilung: mittlere / größte nützliche Arbeit eines Rangs; Serialisierung: größte nützliche " +
            "Arbeit / ideale Zeit; Übertragung: ideale Zeit / Zeit.",
    ],
    [
        "Load balance: mean / largest useful work of a processor; serialization: largest useful work / ideal time; " +
            "transfer: ideal time / time.",
        "Lastverteilung: mittlere / größte nützliche Arbeit eines Prozessors; Serialisierung: größte nützliche " +
            "Arbeit / ideale Zeit; Übertragung: ideale Zeit / Zeit.",
    ],
    ["Of {} runs only one is examined: {}.", "Von {} Läufen ist nur einer untersucht: {}."],
    ["the best of the last ranking", "der beste der letzten Rangliste"],
    ["the fastest of the last problem", "der schnellste des letzten Problems"],
    ["the fastest", "der schnellste"],

    // why gain and share differ; the run is said with its verb first, behind "and when all have the mean in each phase"
    [
        "{}: one rank has {} more to compute than the mean of {}",
        "{}: Ein Rang hat {} mehr zu rechnen als das Mittel von {}",
    ],
    [
        "{}: one processor has {} more to compute than the mean of {}",
        "{}: Ein Prozessor hat {} mehr zu rechnen als das Mittel von {}",
    ],
    ["{}: all ranks have about the same amount to compute", "{}: Alle Ränge haben etwa gleich viel zu rechnen"],
    [
        "{}: all processors have about the same amount to compute",
        "{}: Alle Prozessoren haben etwa gleich viel zu rechnen",
    ],
    ["and when all have the mean in each phase {}", "und wenn alle in jeder Phase das Mittel haben, {}"],
    ["but when all have the mean in each phase {}", "aber wenn alle in jeder Phase das Mittel haben, {}"],
    ["none of the time", "nichts von der Zeit"],
    ["{} of the time", "{} der Zeit"],
    ["and without it {}", "und ohne sie {}"],
    ["but without it {}", "aber ohne sie {}"],
    ["the run takes the same time", "dauert der Lauf gleich lange"],
    ["the run is even {} shorter", "ist der Lauf sogar {} kürzer"],
    ["the run is only {} shorter", "ist der Lauf nur {} kürzer"],
    ["the run is {} longer", "ist der Lauf {} länger"],
    ["of the critical path {} is computation, and then {}", "vom kritischen Pfad sind {} Rechnen und dann {}"],
    ["it does not run over one rank alone", "er verläuft nicht nur über einen Rang"],
    ["it does not run over that rank alone", "er verläuft nicht nur über diesen Rang"],
    ["it does not run over one processor alone", "er verläuft nicht nur über einen Prozessor"],
    ["it does not run over that processor alone", "er verläuft nicht nur über diesen Prozessor"],
    [
        "it goes from rank to rank, always where the next piece takes longest",
        "er geht von Rang zu Rang, immer dorthin, wo das nächste Stück am längsten dauert",
    ],
    [
        "it goes from processor to processor, always where the next piece takes longest",
        "er geht von Prozessor zu Prozessor, immer dorthin, wo das nächste Stück am längsten dauert",
    ],
    ["{} of other things go with it ({})", "{} an anderem entfallen mit ({})"],
    ["{} of other things go with it ()", "{} an anderem entfallen mit"],
    [
        "{} of other things that ran beside it are waited for instead ({})",
        "{} an anderem, das daneben lief, werden stattdessen abgewartet ({})",
    ],
    [
        "{} of other things that ran beside it are waited for instead ()",
        "{} an anderem, das daneben lief, werden stattdessen abgewartet",
    ],
    ["{} of the critical path then runs over other ranks", "{} des kritischen Pfads laufen dann über andere Ränge"],
    [
        "Without {} alone the run is {} shorter, without both {}: {}",
        "Nur ohne {} ist der Lauf {} kürzer, ohne beide {}: {}",
    ],
    ["without {} {}", "ohne {} {}"],
    ["{} contention", "{} Konkurrenz"],
    ["{} latency", "{} Latenz"],
    ["{} transfer of bytes", "{} Übertragung von Bytes"],
    ["{} computation", "{} Rechnen"],
    ["{} control work", "{} Steuerungsarbeit"],
    ["{} input", "{} Eingabe"],
    ["{} output", "{} Ausgabe"],
    ["{} link initialization", "{} Verbindungsaufbau"],
    ["{} software overhead", "{} Software-Overhead"],
    ["{} protocol work", "{} Protokollarbeit"],
    ["{} waiting for answers", "{} Warten auf Antworten"],
    ["{} others", "{} andere"],
    ["each hides part of the other", "jede verdeckt einen Teil der anderen"],
    ["they overlap in part", "sie überdecken sich zum Teil"],
    ["the two just add up", "die beiden addieren sich einfach"],

    // calls and waits of traces
    [
        "Call tree: times with those of inner functions, summed over ranks",
        "Aufrufbaum: Zeiten mit denen innerer Funktionen, über die Ränge summiert",
    ],
    [
        "Functions of the message library, times summed over ranks",
        "Funktionen der Nachrichtenbibliothek, Zeiten über die Ränge summiert",
    ],
    ["Where they are called", "Wo sie aufgerufen werden"],
    ["Waiting, and the rank responsible for most of it", "Warten, und der Rang, der am meisten davon verursacht"],
    ["Waiting by scope", "Warten nach Bereichen"],
    ["Waiting by rank: its own, and that of others for it", "Warten nach Rang: eigenes, und das der anderen auf ihn"],
    [
        "Traced, and simulated (shares of processors x time)",
        "Aufgezeichnet und simuliert (Anteile an Prozessoren x Zeit)",
    ],
    ["Traced, and simulated (shares of ranks x time)", "Aufgezeichnet und simuliert (Anteile an Ränge x Zeit)"],
    [
        "Processor time of each rank, and time without a processor outside the library",
        "Prozessorzeit jedes Rangs, und Zeit ohne Prozessor außerhalb der Bibliothek",
    ],
    [
        "Teams of threads: time in parallel regions, and shares of the threads' time",
        "Thread-Teams: Zeit in parallelen Regionen und Anteile an der Zeit der Threads",
    ],
    ["Waiting of threads within ranks, by scope", "Warten von Threads innerhalb der Ränge, nach Bereichen"],
    [
        "Waiting for streams of accelerators, and for what they do",
        "Warten auf Streams von Beschleunigern und auf das, was sie tun",
    ],
    ["Kernels", "Kernel"],
    ["Copies", "Kopien"],
    ["Streams of accelerators", "Streams von Beschleunigern"],
    ["copy to the device", "Kopie zum Gerät"],
    ["copy from the device", "Kopie vom Gerät"],
    ["Functions, times summed over locations", "Funktionen, Zeiten über die Orte summiert"],
    ["Call paths, times summed over locations", "Aufrufpfade, Zeiten über die Orte summiert"],
    ["Locations", "Orte"],
    ["Metrics, summed over all", "Metriken, über alles summiert"],
    ["{} locations in {}", "{} Orte in {}"],
    ["1 location in {}", "1 Ort in {}"],
    ["most of the time, {}, is in {}", "die meiste Zeit, {}, ist in {}"],
    ["in {=} {} times as long as on average", "in {} {}-mal so lange wie im Mittel"],
    ["{} is MPI's", "{} gehören zu MPI"],
    ["Profile by {=}", "Profil von {}"],
    ["Profile.", "Profil."],
    ["Benchmarks, measured and simulated", "Benchmarks, gemessen und simuliert"],
];
