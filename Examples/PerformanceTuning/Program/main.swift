import TuneCommand

// `./run` builds this program: the performance example without the rest of the command-line tool.
Tune.main()
