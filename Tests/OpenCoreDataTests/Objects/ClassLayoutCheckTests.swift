import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Object files that the package manager has kept, though the superclass of their classes has changed.
@Suite struct ClassLayoutCheckTests {
  private class Plain: NSManagedObject {}

  private class WithFields: Plain {
    var flag = false
    var wide: SIMD4<Float> = .zero
    func first() -> Int { 1 }
    func second() -> Int { 2 }
  }

  private final class Generic<Value>: NSManagedObject {
    var value: Value?
  }

  /// The metadata of a class in a copy that can be changed.
  private final class Copied {
    private let memory: UnsafeMutableRawPointer
    private let point: Int

    init(_ type: AnyClass) {
      let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
      let size = Int(metadata.load(fromByteOffset: 32, as: UInt32.self))
      point = Int(metadata.load(fromByteOffset: 36, as: UInt32.self))
      memory = .allocate(byteCount: size, alignment: 16)
      memory.copyMemory(from: metadata - point, byteCount: size)
    }

    deinit { memory.deallocate() }

    var check: ClassLayoutCheck { ClassLayoutCheck(metadata: memory + point) }

    func add(_ bytes: Int32, at offset: Int) {
      let old = (memory + point).load(fromByteOffset: offset, as: UInt32.self)
      (memory + point).storeBytes(of: UInt32(Int32(old) + bytes), toByteOffset: offset, as: UInt32.self)
    }
  }

  @Test func classesOfThisBuildAgree() {
    #expect(ClassLayoutCheck.disagreement(of: NSManagedObject.self, upTo: NSManagedObject.self) == nil)
    #expect(ClassLayoutCheck.disagreement(of: Plain.self, upTo: NSManagedObject.self) == nil)
    #expect(ClassLayoutCheck.disagreement(of: WithFields.self, upTo: NSManagedObject.self) == nil)
    #expect(ClassLayoutCheck.disagreement(of: Generic<Int>.self, upTo: NSManagedObject.self) == nil)
    #expect(ClassLayoutCheck.disagreement(of: Generic<SIMD8<Double>>.self, upTo: NSManagedObject.self) == nil)
  }

  /// Where the metadata has the size of an instance and its own size.
  @Test(arguments: [24, 32]) func aSuperclassThatHasGrownIsNoticed(offset: Int) throws {
    for type in [Plain.self, WithFields.self] as [AnyClass] {
      let parent = Copied(type == Plain.self ? NSManagedObject.self : Plain.self)
      #expect(ClassLayoutCheck(type).disagreement(with: parent.check) == nil)
      parent.add(32, at: offset)
      let words = try #require(ClassLayoutCheck(type).disagreement(with: parent.check))
      #expect(words.contains(offset == 24 ? "where the superclass's ends at" : "a method table of"))
    }
  }

  @Test(arguments: [24, 32]) func aSuperclassThatHasShrunkIsNoticed(offset: Int) {
    for type in [Plain.self, WithFields.self] as [AnyClass] {
      let parent = Copied(type == Plain.self ? NSManagedObject.self : Plain.self)
      parent.add(-24, at: offset)
      #expect(ClassLayoutCheck(type).disagreement(with: parent.check) != nil)
    }
  }
}
