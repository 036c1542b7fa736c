import Foundation
import ModelCompilerCore
import Testing

/// Classes that observe by key path.
@Suite struct RewriterObserverTests {
  private let method =
    "func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: "
    + "UnsafeMutableRawPointer?)"

  private func copies(_ sources: String...) throws -> [String] {
    try Rewriter.rewrite(
      module: "App",
      files: zip(sources, ["A", "B"]).map { SourceFile("import CoreData\n" + $0, path: "/app/\($1).swift") }
    ).copies.map { String($0.split(separator: "import CoreData\n", maxSplits: 1)[1]) }
  }

  @Test func aClassThatObservesAdoptsTheProtocol() throws {
    let source = "final class A<T>: NSObject where T: P { override \(method) { super.observeValue(forKeyPath: nil) } }"
    let copy = "final class A<T>: NSObject, NSKeyValueObserving where T: P {          \(method) { "
    #expect(try copies(source)[0].hasPrefix(copy + "self._unhandledObservation(forKeyPath: nil) } }"))
    #expect(
      try copies("class A: NSObject {}", "extension A { public override \(method) {} }")[0].hasPrefix(
        "class A: NSObject, NSKeyValueObserving {"))
  }

  @Test(arguments: ["NSManagedObject", "NSManagedObjectContext", "Base"])
  func whatCanBeOverriddenIs(superclass: String) throws {
    let base = "class Base: NSObject, NSKeyValueObserving { \(method) {} }"
    let source = "class A: \(superclass) { override \(method) { super.observeValue(forKeyPath: nil) } }"
    #expect(try copies(base, source)[1].hasPrefix(source))
  }

  @Test func otherMethodsOfTheNameAreLeft() throws {
    let source = "class A: NSObject { func observeValue() {} }"
    #expect(try copies(source)[0].hasPrefix(source))
  }
}
