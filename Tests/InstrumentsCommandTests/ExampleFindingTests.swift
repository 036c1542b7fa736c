import Foundation
import Testing
import ToolProcess

/// What is found in recordings of the examples.
@Suite struct ExampleFindingTests {
  @Test func withoutBatchesTheRelationshipsOfSingleFaultAreToBePrefetched() throws {
    let recorded = try Recorded.tune(["SingleFault"], "--fault-batch", "1")
    let findings = try recorded.findings()
    #expect(findings.count == 2, "\(findings)")
    for (keyPath, count) in [("people", 60), ("socialNetworks", 50)] {
      let finding = try #require(findings.first { $0.prefetch == [keyPath] })
      #expect(finding.kind == "repeatedFaults" && finding.entity == "Selfie")
      // One for each object: the row cache has it then.
      #expect(finding.count == count && finding.rows == count)
      #expect(finding.title == "Selfie.\(keyPath) is read one by one")
      #expect(finding.caller == "NamesRead.read(_:)", "\(finding)")
      #expect(
        finding.advice
          == "Prefetch it: request.relationshipKeyPathsForPrefetching = [\"\(keyPath)\"] of the fetch of Selfie "
          + "in SingleFaultTest.read(in:).", "\(finding)")
    }
  }

  @Test func withBatchesNothingIsFoundInSingleFault() throws {
    let findings = try Recorded.tune(["SingleFault"]).findings()
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test func ofTheTenTestsNothingIsToBePrefetched() throws {
    let findings = try Recorded.tune([]).findings()
    #expect(findings.allSatisfy { $0.prefetch == nil && !$0.kind.hasPrefix("repeated") }, "\(findings)")
    // What the tests do on purpose is found: a pattern that no index serves, and objects that are only counted.
    #expect(
      findings.contains {
        $0.kind == "scan" && $0.entity == "Selfie" && $0.count >= 1000
          && $0.title.contains("name LIKE with a leading wildcard")
          && $0.caller?.hasPrefix("PredicateTest.count") == true
      }, "\(findings)")
    #expect(
      findings.contains {
        $0.kind == "untouchedRows" && $0.entity == "Person" && $0.caller?.contains("FetchAllTest") == true
          && $0.rows == 60
      }, "\(findings)")
  }

  /// The Cache test walks as SingleFault does, which finds the rows in the cache here: FetchAll has read them.
  @Test func withoutBatchesTheTenTestsHaveSingleFaultsRelationships() throws {
    let findings = try Recorded.tune([], "--fault-batch", "1").findings().filter { $0.prefetch != nil }
    #expect(Set(findings.compactMap { $0.prefetch?.first }) == ["people", "socialNetworks"], "\(findings)")
    #expect(findings.allSatisfy { $0.entity == "Selfie" && $0.caller == "NamesRead.read(_:)" }, "\(findings)")
  }

  // MARK: Indexes

  private func photos(_ indexes: String) throws -> Recorded {
    try Recorded("Photos", ["--count", "300", "--design", "single", "--indexes", indexes, "--rounds", "1", "--json"])
  }

  @Test func theMissingCompoundIndexIsTheOneThatThenServes() throws {
    let without = try photos("none").findings().filter { $0.kind == "missingIndex" }
    #expect(Set(without.compactMap(\.index)) == [["likes", "date"], ["date"]], "\(without)")
    let compound = try #require(without.first { $0.index == ["likes", "date"] })
    #expect(compound.entity == "Photo" && compound.title == "Photo lacks an index by likes, date")
    // By the controller without batches and with, and by its array with batches.
    #expect(compound.count == 3)

    let with = try photos("compound")
    #expect(try with.findings().allSatisfy { $0.kind != "missingIndex" })
    let statements = try #require(
      try with.instruments("--statements", "--format", "json").json()["statements"] as? [[String: Any]])
    let controller = statements.filter {
      ($0["text"] as? String)?.contains("ORDER BY t0.ZLIKES DESC, t0.ZDATE DESC") == true
    }
    #expect(!controller.isEmpty)
    for statement in controller {
      #expect(statement["indexes"] as? [String] == ["Z_Photo_byLikesAndDate"], "\(statement)")
      #expect(statement["remarks"] as? [String] == [], "\(statement)")
    }
  }

  @Test func whatLiesInAnotherTableIsSaid() throws {
    let recorded = try Recorded("Photos", ["--count", "60", "--design", "split", "--indexes", "none", "--rounds", "1"])
    let findings = try recorded.findings()
    #expect(
      findings.contains {
        $0.kind == "scan" && $0.title == "Photo is asked by metadata.date, which is in another table"
      },
      "\(findings)")
  }
}
