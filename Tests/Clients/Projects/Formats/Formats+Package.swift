// The file that the package manager compiles as it is: see CoreDataRewriter.
