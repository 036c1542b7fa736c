import TuneCommand

// What `./run` builds: the performance example and nothing else of the command-line tool.
Tune.main()
