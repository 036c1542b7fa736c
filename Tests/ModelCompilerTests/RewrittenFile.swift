import ModelCompilerCore
import Testing

/// One file of a module after rewriting.
enum RewrittenFile {
  static func rewrite(
    _ source: String, name: String = "A.swift", bundle: ModuleBundle = .models
  ) throws -> (text: String, changes: [SourceChange]) {
    let made = try Rewriter.rewrite(
      module: "App", files: [SourceFile(source, path: "/app/\(name)")], bundle: bundle)
    return (made.copies[0], made.changes)
  }

  /// The copy of a file that imports CoreData, without that import and blanks that only fill up.
  static func copy(_ source: String, bundle: ModuleBundle = .models) throws -> String {
    let text = try rewrite("import CoreData\n" + source, bundle: bundle).text
    let first = "#sourceLocation(file: \"/app/A.swift\", line: 1)\nimport CoreData\n"
    #expect(text.hasPrefix(first))
    return String(text.dropFirst(first.count)).replacing(#/ +/#) { _ in " " }
      .replacing(#/(\S) (\.|\)|\]|\n)/#) { $0.1 + $0.2 }
  }
}
