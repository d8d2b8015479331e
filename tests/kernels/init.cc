// PID 1 of the guest: runs every program in /tests and ends the machine.
//
// The launcher reads the console. What is meant for it are lines that begin
// with "@@"; everything else is what the kernel and the tests print.
//
//   @@boot <kernel release> <machine> vdso=<AT_SYSINFO_EHDR, in hex>
//   @@run <test>
//   @@xml <one line of the test's GoogleTest XML>
//   @@end <test> exit=<code> | signal=<number> | timeout
//   @@done <tests that ended well> of <tests>
//
// Should this program fail, the kernel panics and there is no @@done.

#include <dirent.h>
#include <elf.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <string>

namespace {

// A test that takes longer hangs: emulation is some twenty times slower than
// the machine itself, and no test takes ten seconds there.
constexpr int kTestTimeoutMs = 240 * 1000;

void Mount(const char* type, const char* directory) {
  if (mount(type, directory, type, 0, nullptr) != 0) perror(directory);
}

[[noreturn]] void Exec(const std::string& path, const std::string& xml) {
  const std::string output = "GTEST_OUTPUT=xml:" + xml;
  const char* const argv[] = {path.c_str(), "--gtest_color=no", nullptr};
  const char* const envp[] = {"HOME=/tmp", "PATH=/tests", "TEST_TMPDIR=/tmp",
                              output.c_str(), nullptr};
  execve(path.c_str(), const_cast<char**>(argv), const_cast<char**>(envp));
  // "No such file" is said of a dynamic program: its loader is not here.
  perror(path.c_str());
  _exit(127);
}

// WaitFor returns how the process ended, in the words of @@end.
std::string WaitFor(pid_t pid) {
  const auto pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  pollfd ended = {pidfd, POLLIN, 0};
  const bool timeout = poll(&ended, 1, kTestTimeoutMs) == 0;
  close(pidfd);
  kill(-1, SIGKILL);  // whatever it left behind as well, but not PID 1
  int status = 0;
  waitpid(pid, &status, 0);
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  if (timeout) return "timeout";
  if (WIFSIGNALED(status)) return "signal=" + std::to_string(WTERMSIG(status));
  return "exit=" + std::to_string(WEXITSTATUS(status));
}

void PrintXml(const std::string& path) {
  FILE* file = fopen(path.c_str(), "r");
  if (file == nullptr) return;  // The launcher notices.
  char* line = nullptr;
  size_t size = 0;
  for (ssize_t n; (n = getline(&line, &size, file)) > 0;) {
    printf("@@xml %s%s", line, line[n - 1] == '\n' ? "" : "\n");
  }
  free(line);
  fclose(file);
}

// Run returns whether the test exited with 0.
bool Run(const std::string& name) {
  const std::string xml = "/tmp/" + name + ".xml";
  printf("@@run %s\n", name.c_str());
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) Exec("/tests/" + name, xml);
  const std::string end = pid < 0 ? "fork failed" : WaitFor(pid);
  printf("\n");  // Its last line may lack one.
  PrintXml(xml);
  printf("@@end %s %s\n", name.c_str(), end.c_str());
  return end == "exit=0";
}

int IsTest(const dirent* entry) { return entry->d_name[0] != '.'; }

}  // namespace

int main() {
  Mount("devtmpfs", "/dev");
  Mount("proc", "/proc");
  Mount("sysfs", "/sys");
  Mount("tmpfs", "/tmp");

  utsname kernel;
  uname(&kernel);
  printf("\n@@boot %s %s vdso=%#lx\n", kernel.release, kernel.machine,
         getauxval(AT_SYSINFO_EHDR));

  dirent** tests = nullptr;
  const int count = scandir("/tests", &tests, IsTest, alphasort);
  int good = 0;
  for (int i = 0; i < count; ++i) good += Run(tests[i]->d_name);
  printf("@@done %d of %d\n", good, count);

  fflush(stdout);
  tcdrain(STDOUT_FILENO);
  // Not a power-off, which needs ACPI: qemu's -no-reboot makes it the end.
  reboot(RB_AUTOBOOT);
}
