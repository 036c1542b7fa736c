import Foundation

// verify                      runs all checks, each as a process of its own, since one may end by an exception
// verify D-CTX-07 D-OBJ       runs those whose numbers begin so
// verify --run INDEX          runs one in this process, and prints what it finds
// verify --list               prints numbers and claims
let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "--run", let index = arguments.last.flatMap({ Int($0) }), checks.indices.contains(index) {
  do {
    print(try checks[index].run())
  } catch {
    let error = error as NSError
    print("error \(error.code)")
  }
  exit(0)
}
if arguments == ["--list"] {
  for check in checks { print(check.number, check.claim) }
  exit(0)
}

let chosen = checks.indices.filter { index in
  arguments.isEmpty || arguments.contains { checks[index].number.hasPrefix($0) }
}
guard !chosen.isEmpty else {
  print("There is no check of \(arguments.joined(separator: ", ")); --list prints all.")
  exit(64)
}
print("verify on \(ProcessInfo.processInfo.operatingSystemVersionString)\n")
var different: [String] = []
for index in chosen {
  let check = checks[index]
  let found = ChildProcess.find(index)
  let isAsExpected = found == check.expected
  if !isAsExpected { different.append(check.number) }
  print("\(check.number) \(check.claim)")
  print("  expected: \(check.expected)")
  print("  found:    \(found)")
  print("  \(isAsExpected ? "as expected" : "DIFFERENT")")
}
print("\n\(chosen.count) checks: \(chosen.count - different.count) as expected, \(different.count) different")
if !different.isEmpty { print("different: \(different.joined(separator: " "))") }
exit(different.isEmpty ? 0 : 1)
