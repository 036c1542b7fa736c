import ModelCompilerCore
import Testing

@Suite struct ParserTests {
  private func parse(_ source: String) -> ParsedFile { Parser.parse(source, path: "/a/File.swift") }

  private func types(_ source: String) -> [String] {
    parse(source).members.map {
      guard case .property(let type) = $0.kind else { return "method" }
      return "\($0.info.name): \(type.description)"
    }
  }

  @Test func propertiesShareTypes() {
    #expect(
      types("class A { @NSManaged var a, b: Int, c: String!\n @NSManaged public private(set) var d: [String: Any]? }")
        == ["a: Int", "b: Int", "c: String?", "d: [String: Any]?"])
  }

  @Test func typesAreRead() {
    #expect(
      types(
        """
        class A {
          @NSManaged var a: Swift.Set<B.C>, b: (any NSCoding)?, c: [[Int?]], d: Optional<Date>
          @NSManaged var e: (Int, Int), f: (Int) -> Void, g: P & Q
        }
        """)
        == [
          "a: Swift.Set<B.C>", "b: (any NSCoding)?", "c: [[Int?]]", "d: Optional<Date>", "e: ( Int , Int )",
          "f: Int -> Void", "g: P & Q",
        ])
  }

  @Test func containersAreTracked() {
    let file = parse(
      """
      struct A { final class B<T>: NSManagedObject where T: P { var f = { class X {} }; enum C { case `class`, actor } } }
      public extension A.B { @NSManaged var x: Int; private struct D {} }
      """)
    #expect(
      file.types.map { ($0.info.container.path + [$0.info.name]).joined(separator: ".") }.sorted() == [
        "A", "A.B", "A.B.C", "A.B.D",
      ])
    #expect(file.members.map(\.info.container.extended) == [["A", "B"]])
    #expect(file.members.map(\.info.access) == [.public])
  }

  @Test func conditionsAreKept() {
    let file = parse(
      """
      class A {
        #if os(Linux)
        @NSManaged var a: Int
        #elseif DEBUG
        @NSManaged var b: Int
        #else
        @NSManaged var c: Int
        #endif
        @NSManaged var d: Int
      }
      """)
    #expect(
      file.members.map(\.info.conditions)
        == [["(os(Linux))"], ["!(os(Linux))", "(DEBUG)"], ["!(os(Linux))", "!(DEBUG)"], []])
  }

  @Test func bodiesArePassedOver() {
    let file = parse(
      """
      class A {
        func f(class: Int = 1) { let x = a.extension; if x { class B { @NSManaged var hidden: Int } } }
        var g: Int { get { 1 } set {} }
        class var h: Int { 1 }
        override class func i() {}
        @NSManaged var x: Int
      }
      let actor = 1
      actor.run()
      """)
    #expect(file.types.map(\.info.name) == ["A"])
    #expect(file.members.map(\.info.name) == ["x"])
    #expect(file.localLines == [2])
  }

  @Test func importsAreRead() {
    let file = parse("@testable import A\npublic import B\nimport struct C.D\n@_exported import E")
    #expect(file.imports.map(\.attributes) == [["testable"], [], [], []])
    #expect(file.imports.map(\.access) == [nil, .public, nil, nil])
    #expect(file.imports.map(\.scope) == [nil, nil, "struct", nil])
    #expect(file.imports.map(\.path) == [["A"], ["B"], ["C", "D"], ["E"]])
  }
}
