print("ModelCompiler")
