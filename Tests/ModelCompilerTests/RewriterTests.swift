import Foundation
import ModelCompilerCore
import Testing

@Suite struct RewriterTests {
  private func rewrite(_ source: String, path: String = "/app/Person.swift") throws -> Rewriter.Output {
    try Rewriter.rewrite(module: "App", files: [SourceFile(source, path: path)])
  }

  /// The copy without the line that names the original.
  private func copy(_ source: String) throws -> String {
    let text = try rewrite(source).copies[0]
    let first = "#sourceLocation(file: \"/app/Person.swift\", line: 1)\n"
    #expect(text.hasPrefix(first))
    return String(text.dropFirst(first.count))
  }

  private let accessor = "{ get { _managedValue(_managedKey_a) } set { _setManagedValue(newValue, _managedKey_a) } }"

  @Test(arguments: [
    ("@objc(Person) public class A {}", "              public class A {}"),
    ("@objc @nonobjc dynamic func f() { }", "      @nonobjc dynamic func f() { }"),
    ("@objcMembers class A {}; // @objc", "             class A {}; // @objc"),
    ("@objc\nclass A {}\nlet s = \"@objc\"", "     \nclass A {}\nlet s = \"@objc\""),
    ("@objc (A) -> B", "      (A) -> B"), ("@objc(f:\n  g:) func x()", "        \n      func x()"),
    ("@objc protocol P { }", "      protocol P: AnyObject { }"),
    ("@objc(P) public protocol P: Q { }", "         public protocol P: AnyObject, Q { }"),
  ])
  func attributesGo(source: String, copy: String) throws {
    // Blanks at the ends of lines do not matter.
    func trimmed(_ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0.reversed().drop { $0 == " " }.reversed())
      }
    }
    #expect(trimmed(try self.copy(source)) == trimmed(copy))
  }

  @Test(arguments: [
    ("#keyPath(Person.name)", #""name""#), ("#keyPath(Person.address.city)", #""address.city""#),
    ("#keyPath(name)", #""name""#), ("#keyPath(App.Outer.Inner.x)", #""x""#),
    ("#keyPath(Person.URL.path)", #""URL.path""#),
    ("#keyPath(\n  Person.name\n)", #""name""#), ("#keyPath(NSFetchRequest.predicate)", #""predicate""#),
    ("#selector(NSString.compare(_:))", #"Selector("compare:")"#),
    ("#selector(NSString.localizedStandardCompare)", #"Selector("localizedStandardCompare:")"#),
    ("#selector(getter: Person.name)", #"Selector("name")"#),
    ("#selector(setter: Person.name)", #"Selector("setName:")"#),
    ("#selector(wake(at:_:by:))", #"Selector("wakeAt::by:")"#),
    ("#selector(wake(time:))", #"Selector("wakeWithTime:")"#),
    ("#selector(tapped)", #"Selector("tapped:")"#), ("#selector(self.go as () -> Void)", #"Selector("go")"#),
  ])
  func keyPathsAndSelectors(expression: String, replacement: String) throws {
    let rest = "\nclass Person { func tapped(_ x: [Int: Int]) {} }\nstruct Outer { class Inner {} }"
    let text = try copy("let x = \(expression)" + rest)
    #expect(text.hasPrefix("let x = \(replacement)") && text.hasSuffix(rest))
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).count == expression.filter { $0 == "\n" }.count + 3)
    #expect(try copy("let x = \"a \\(\(expression)) b\"" + rest).contains("\\(\(replacement)"))
  }

  @Test func managedMembersGetBodies() throws {
    let text = try copy(
      """
      class P: NSManagedObject {
        @NSManaged private(set) var a: String? // why
        @NSManaged func addToPs(_ é: P); @NSManaged func replacePs(at i: Int, with p: P)
      #if X
        @NSManaged public private(set) var b, c: Set<P>, d: NSObject?
      #endif
      }
      """)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[1] == "             private(set) var a: String? \(accessor) // why")
    #expect(lines[2].contains("func addToPs(_ é: P) { _managedAdd(é, _managedKey_ps) };"))
    #expect(lines[2].hasSuffix("{ _managedReplace(at: i, with: p, _managedKey_ps) }"))
    #expect(lines[4].contains("var b: Set<P> { get { _managedValue(_managedKey_b) }"))
    #expect(lines[4].contains("; public private(set) var c: Set<P> { get { "))
    #expect(lines[4].contains("; public private(set) var d: NSObject? { get { _managedObject("))
  }

  @Test func classesAreRegisteredUnderBothNames() throws {
    let text = try rewrite(
      """
      import CoreData
      @objc(CDPerson) public class Person: NSManagedObject { @NSManaged var a: Int }
      public class Child: Person {}
      """
    ).registration
    #expect(text.contains("\nimport CoreData\n"))
    #expect(text.contains("nonisolated let _managedKey_a = CoreData._PropertyKey(\"a\")"))
    #expect(text.contains("(\"Person\", Person.self)") && text.contains("(\"CDPerson\", Person.self)"))
    #expect(text.contains("(\\Person.a as AnyKeyPath, \"a\")") && text.contains("(\\Child.a as AnyKeyPath, \"a\")"))
  }

  @Test(arguments: [
    ("\n@objc protocol P { @objc optional var v: Int { get } }", "2:1: error: an optional property"),
    (
      "func f() {\n class A: NSManagedObject { @NSManaged func go() } }", "2:1: error: @NSManaged method 'A.go' is none"
    ),
    ("class A: NSManagedObject {\n\n @NSManaged func go() }", "3:1: error: @NSManaged method 'A.go' is none"),
  ])
  func whatCannotBeRewrittenIsAnError(source: String, message: String) {
    #expect {
      try rewrite(source)
    } throws: {
      ($0 as? SourceProblems)?.list.first?.description.hasPrefix("/app/Person.swift:" + message) == true
    }
  }

  /// The package's own sources have next to nothing to rewrite, and what is changed is told. Files that name classes which
  /// Foundation has in part get an import.
  @Test func otherSourcesStayAsTheyAre() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    // Casts between fetch requests, a member of an extension that a subclass overrides, classes of Foundation's by their module.
    let expected: Set = [
      "SourceInstances.swift", "RetypedFetchRequest.swift", "NSBatchDeleteRequest.swift", "NSPersistentStore.swift",
      "FormatParser+Predicates.swift", "FormatTemplate.swift", "NSCompoundPredicate.swift",
      "NSPredicate+CheckedEvaluation.swift", "PendingQuestion.swift", "PredicateNode.swift", "PredicatePrinter.swift",
    ]
    // The class that overrides that member: `NSPersistentStore.swift` is changed only where both are there.
    let overriding = "ServerStore.swift"
    // A third of the files: compiled without optimisation, the rewriter takes 20 seconds for all of them. `SOAK=1` takes them all.
    let takesAll = ProcessInfo.processInfo.environment["SOAK"] != nil
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
      .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("main.swift") }.enumerated()
      .filter { offset, name in
        takesAll || offset % 3 == 0 || expected.union([overriding]).contains(URL(filePath: name).lastPathComponent)
      }
      .map(\.element)
    let sources = try names.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    let files = zip(sources, names).map { SourceFile($0, path: $1) }
    let output = try Rewriter.rewrite(module: "App", files: files)
    let told = Set(output.changes.map(\.path))
    var changed: Set<String> = []
    for (index, copy) in output.copies.enumerated() {
      let rest = copy.hasPrefix("import CoreData\n") ? String(copy.dropFirst("import CoreData\n".count)) : copy
      if rest == "#sourceLocation(file: \"\(names[index])\", line: 1)\n" + sources[index] { continue }
      changed.insert(URL(filePath: names[index]).lastPathComponent)
      #expect(told.contains(names[index]))
    }
    #expect(changed == expected)
  }

  @Test func theMainFileKeepsItsLines() throws {
    #expect(try rewrite("print(#keyPath(A.b))", path: "/app/main.swift").copies[0].hasPrefix("print(\"b\""))
  }

  @Test(arguments: [
    "@", "@objc", "@objc(", "#keyPath(", "#keyPath()", "#selector(a", "@objc protocol", "\"\\(#keyPath(a",
  ])
  func brokenSourceEnds(source: String) { _ = try? rewrite("class A: NSManagedObject { " + source) }

  /// Somebody saves a file half-way.
  @Test func everyBeginningOfAFileEnds() throws {
    let source = """
      import CoreData.X; import Foundation
      open class A: NSManagedObject { let x: Int, y = 1; @NSManaged var z: Int; private override init(entity: E, insertInto \
      c: NSManagedObjectContext?) {}; init() {} }
      public extension A { @objc(f:) override class func f(_ x: inout Int) async throws -> Int { try a(\\(#keyPath(A.x))) } }
      extension A where T: B { override var v: [Int: A] { get { 1 } set { } }; subscript<T>(i: Int) -> T { 1 } }
      let r = try f(x[1]!) { $0 } as Any as! NSFetchRequest<[A: B]>? as C; let b = Bundle(for: A.self), l = [Bundle.main]
      let m = b.url(forResource: "X", withExtension: "momd"), n = X.mergedModel(from: [.main, b, Bundle(identifier: "x")!])
      """
    let bytes = Array(source.utf8)
    for count in 0...bytes.count {
      for text in [bytes[..<count], bytes[count...]] {
        let file = SourceFile(String(decoding: text, as: UTF8.self), path: "/app/A.swift")
        _ = try? Rewriter.rewrite(module: "App", files: [file], bundle: .models)
      }
    }
  }
}
