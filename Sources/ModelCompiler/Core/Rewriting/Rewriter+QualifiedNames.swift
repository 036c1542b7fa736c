extension Rewriter {
  /// The module from which names come that Foundation has on Apple's platforms alone.
  static func cocoaModule(of imports: [ImportDeclaration]) -> String {
    let isCoreData = imports.contains { $0.path[0] == "CoreData" }
    return !isCoreData && imports.contains { $0.path == ["CocoaFoundation"] } ? "CocoaFoundation" : "CoreData"
  }

  /// Replaces the module in `Foundation.ValueTransformer` and other names that Foundation lacks here, or has only in
  /// part; in `import class Foundation.UndoManager`, too.
  mutating func requalify(at index: Int, _ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    guard index + 2 < tokens.count, tokens[index].isKeyword("Foundation"), tokens[index + 1].isPunctuation("."),
      Self.isCocoaName(tokens[index + 2]), index == 0 || !tokens[index - 1].isPunctuation(".")
    else { return }
    edits.replace(tokens[index].range, with: cocoaModule)
    note("\(tokens[index + 2].text) is \(cocoaModule)'s", tokens[index].line, file)
  }

  /// Whether a file names such a class of Foundation's by its module.
  static func isQualified(at index: Int, _ tokens: [Token]) -> Bool {
    index > 1 && tokens[index - 1].isPunctuation(".") && tokens[index - 2].isKeyword("Foundation")
  }
}
