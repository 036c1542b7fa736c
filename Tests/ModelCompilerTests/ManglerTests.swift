import ModelCompilerCore
import Testing

/// Symbols are compared with what `nm` shows of the compiler's output (Swift 6.3.1).
@Suite struct ManglerTests {
  private func symbols(_ source: String, module: String = "Mod", file name: String = "A.swift") throws -> [String] {
    let file = Parser.parse(source, path: "/a/" + name)
    let program = Program(module: module, files: [file])
    return try file.members.map { try program.symbols(of: $0, in: file)[0] }
  }

  @Test func digest() {
    #expect(MD5.hexadecimalDigest(of: []) == "D41D8CD98F00B204E9800998ECF8427E")
    #expect(MD5.hexadecimalDigest(of: Array("ModA.swift".utf8)) == "908697513C044CCC3C1A9340D4E60388")
    #expect(
      MD5.hexadecimalDigest(of: Array(repeating: UInt8(ascii: "a"), count: 64)) == "014842D480B571495A4A0363793F7367")
  }

  @Test func properties() throws {
    #expect(
      try symbols(
        """
        public class Person: NSManagedObject {
          @NSManaged var naïve: String!, `class`: Bool, größe_Person: Outer.Kind?, cg: CGFloat, ti: TimeInterval
          @NSManaged var c: (any NSCoding)?, c2: [String: NSCoding], half: Int64, r: NSRange, any: [AnyHashable: Any]
          @NSManaged var m: Measurement<UnitLength>, k: any NSCoding & NSCopying
        }
        struct Outer { enum Kind { case a } }
        """)
        == [
          "$s3Mod6PersonC008nave_GpaSSSgvg", "$s3Mod6PersonC5classSbvg",
          "$s3Mod6PersonC0016gre_Person_GDaJyAA5OuterV4KindOSgvg", "$s3Mod6PersonC2cg10Foundation7CGFloatVvg",
          "$s3Mod6PersonC2tiSdvg", "$s3Mod6PersonC1c10Foundation8NSCoding_pSgvg",
          "$s3Mod6PersonC2c2SDySS10Foundation8NSCoding_pGvg", "$s3Mod6PersonC4halfs5Int64Vvg",
          "$s3Mod6PersonC1r10Foundation8_NSRangeVvg", "$s3Mod6PersonC3anySDys11AnyHashableVypGvg",
          "$s3Mod6PersonC1m10Foundation11MeasurementVyAE10UnitLengthCGvg",
          "$s3Mod6PersonC1k10Foundation8NSCoding_AE9NSCopyingpvg",
        ])
  }

  @Test func privateDeclarations() throws {
    let file = "33_908697513C044CCC3C1A9340D4E60388LL"
    #expect(
      try symbols(
        """
        class Person: NSManagedObject { @NSManaged private var secret: String?; @NSManaged private(set) var open: Int }
        private extension Person { @NSManaged var pe: String }
        private class Priv: NSManagedObject {
          @NSManaged private var y: Priv?
          class In: NSManagedObject { @NSManaged var z: Int }
        }
        """)
        == [
          "$s3Mod6PersonC6secret\(file)SSSgvg", "$s3Mod6PersonC4openSivg", "$s3Mod6PersonC2pe\(file)SSvg",
          "$s3Mod4Priv\(file)C1yADSgvg", "$s3Mod4Priv\(file)C2InC1zSivg",
        ])
  }

  @Test func methods() throws {
    #expect(
      try symbols(
        """
        class Person: NSManagedObject {
          @NSManaged func f(_ a: any NSCoding, b: any NSCoding)
          @NSManaged func g(_ a: NSObjectProtocol, b: (any NSObjectProtocol)?, c: NSObjectProtocol?)
        }
        class Zoo: NSManagedObject {
          @NSManaged func insertIntoURLs(_ value: Zoo, at idx: Int)
          @NSManaged func insertIntoURLs(_ values: [Zoo], at indexes: NSIndexSet)
          @NSManaged func removeFromURLs(at idx: Int)
          @NSManaged func run()
        }
        """)
        == [
          "$s3Mod6PersonC1f_1by10Foundation8NSCoding_p_AfG_ptF",
          "$s3Mod6PersonC1g_1b1cy10Foundation16NSObjectProtocol_p_AgH_pSgAItF",
          "$s3Mod3ZooC14insertIntoURLs_2atyAC_SitF",
          "$s3Mod3ZooC14insertIntoURLs_2atySayACG_10Foundation10NSIndexSetCtF", "$s3Mod3ZooC14removeFromURLs2atySi_tF",
          "$s3Mod3ZooC3runyyF",
        ])
  }

  @Test func namesAreLookedUpAsTheCompilerDoes() throws {
    #expect(
      try symbols(
        """
        struct Outer { struct Kind {}; class Inner: NSManagedObject {} }
        class Kind {}
        extension Outer.Inner { @NSManaged var k: Kind }
        class Base: NSManagedObject { enum Mood { case a } }
        class Sub: Base { @NSManaged var m: Mood }
        extension Outer { class Nest: NSManagedObject { @NSManaged var k: Kind } }
        """)
        == ["$s3Mod5OuterV5InnerC1kAA4KindCvg", "$s3Mod3SubC1mAA4BaseC4MoodOvg", "$s3Mod5OuterV4NestC1kAC4KindVvg"])
  }

  @Test func rawIdentifiers() throws {
    #expect(
      try symbols("class R: NSManagedObject { @NSManaged var `hello world`, `2x`, a$b: Int }")
        == ["$s3Mod1RC0022helloworld_hkaCJIDHdlaSivg", "$s3Mod1RC008_2x_GlJkcSivg", "$s3Mod1RC3a$bSivg"])
  }

  @Test func classesOfOtherModulesAreExtended() throws {
    let library = Parser.parse("public class LibEntity: NSManagedObject {}", path: "/b/Lib.swift")
    let file = Parser.parse("extension LibEntity { @NSManaged var foreign: String? }", path: "/a/main.swift")
    let program = Program(module: "PersonApp", files: [file], dependencies: [("LibApp", { [library] })])
    #expect(
      try program.symbols(of: file.members[0], in: file)[0] == "$s6LibApp0A6EntityC06PersonB0E7foreignSSSgvg")
  }
}
